package domain

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds of what an interface offers and answers.
const (
	MaxTools         = 256
	MaxParameters    = 64
	MaxToolNameBytes = 128
	MaxToolTextBytes = 16 << 10  // description and documentation, each
	MaxSchemaBytes   = 64 << 10  // of one tool's params
	MaxParamsBytes   = 256 << 10 // of one invocation
)

// Tool is one thing an interface can do when Chalie asks.
type Tool struct {
	Name          string          `json:"name"` // unique within its interface
	Description   string          `json:"description"`
	Documentation string          `json:"documentation,omitempty"`
	Parameters    []Parameter     `json:"parameters"`
	Returns       json.RawMessage `json:"returns,omitempty"` // as the interface describes it

	// Schema is the JSON Schema of the params object, where the list of parameters doesn't
	// say all: arrays, enumerations, what is nested. Parameters is then its first level.
	Schema json.RawMessage `json:"schema,omitempty"`
	// Hints are what a server of the Model Context Protocol says of the tool. Nothing is
	// allowed by them.
	Hints *ToolHints `json:"hints,omitempty"`

	// What follows is for the policy, as the interface says it; the person may say
	// otherwise.
	SideEffects      *bool    `json:"side_effects,omitempty"` // nothing said counts as true
	RequiresApproval bool     `json:"requires_approval,omitempty"`
	Autonomy         Autonomy `json:"autonomy,omitempty"`

	// StateSnapshot is a capability of the same interface that takes the same params
	// and tells the state the tool acts on; "" for none.
	StateSnapshot string `json:"state_snapshot,omitempty"`

	// What follows a program says of an op or a skill that it registers.
	Kind     ToolKind `json:"kind,omitempty"`     // "" of what isn't one
	Effects  []string `json:"effects,omitempty"`  // what it changes, a few words each
	Requires []string `json:"requires,omitempty"` // the capability ids that a skill invokes

	// Flags are those of its texts, as Chalie found them; an interface can't set them.
	Flags []Flag `json:"flags,omitempty"`
}

// ToolKind tells an op, which does one thing, from a skill, which invokes others.
type ToolKind string

// The kinds.
const (
	KindOp    ToolKind = "op"
	KindSkill ToolKind = "skill"
)

// Warnings are its flags in words; none of most tools.
func (t Tool) Warnings() []string { return (&Marks{Flags: t.Flags}).Warnings() }

// Parameter is one parameter of a tool.
type Parameter struct {
	Name        string        `json:"name"`
	Type        ParameterType `json:"type"`
	Required    bool          `json:"required"`
	Description string        `json:"description"`
}

// ParameterType is the JSON type of a parameter.
type ParameterType string

// The types.
const (
	TypeString  ParameterType = "string"
	TypeNumber  ParameterType = "number"
	TypeInteger ParameterType = "integer" // written without fraction and exponent, within ±MaxInteger
	TypeBoolean ParameterType = "boolean"
	TypeObject  ParameterType = "object"
	TypeArray   ParameterType = "array"
	TypeAny     ParameterType = "any" // of several types, or of none that is said
)

// MaxInteger bounds a parameter of type integer, either way. Params go out as they
// were written, and a tool that reads JSON numbers as floating point keeps integers
// exact this far.
const MaxInteger int64 = 1 << 53

// ParameterTypes are the types in words, for errors.
func ParameterTypes() string { return "string, number, integer, boolean, object, array, any" }

// CheckTools returns a validation error about tools that can't be registered.
func CheckTools(tools []Tool) error {
	const op = "check tools"
	if len(tools) > MaxTools {
		return Invalid(op, "capabilities", fmt.Sprintf("there are %d tools, the bound is %d", len(tools), MaxTools))
	}
	seen := map[string]bool{}
	for n, t := range tools {
		switch {
		case t.Name == "" || len(t.Name) > MaxToolNameBytes || hasControl(t.Name) || !utf8.ValidString(t.Name):
			return Invalid(op, "capabilities", fmt.Sprintf("tool %d of %d has no name of 1 to %d printable bytes", n+1, len(tools), MaxToolNameBytes))
		case seen[t.Name]:
			return Invalid(op, "capabilities", fmt.Sprintf("two tools are named %s: each needs a name of its own", t.Name))
		case len(t.Description) > MaxToolTextBytes || len(t.Documentation) > MaxToolTextBytes || len(t.Returns) > MaxToolTextBytes:
			return Invalid(op, "capabilities", fmt.Sprintf("tool %s has a text over %d bytes", t.Name, MaxToolTextBytes))
		case t.Autonomy != "" && !t.Autonomy.Known():
			return Invalid(op, "capabilities", fmt.Sprintf("tool %s has the autonomy %q; it must be one of readonly, supervised, full", t.Name, clip(string(t.Autonomy), MaxToolNameBytes)))
		case len(t.StateSnapshot) > MaxToolNameBytes || hasControl(t.StateSnapshot):
			return Invalid(op, "capabilities", fmt.Sprintf("tool %s names a state_snapshot that is no name of at most %d printable bytes", t.Name, MaxToolNameBytes))
		case len(t.Schema) > MaxSchemaBytes:
			return Invalid(op, "capabilities", fmt.Sprintf("the schema of tool %s takes %d bytes, the bound is %d", t.Name, len(t.Schema), MaxSchemaBytes))
		case len(t.Parameters) > MaxParameters:
			return Invalid(op, "capabilities", fmt.Sprintf("tool %s has %d parameters, the bound is %d", t.Name, len(t.Parameters), MaxParameters))
		}
		seen[t.Name] = true
		if err := checkParameters(t); err != nil {
			return err
		}
		if err := t.CheckSchemas(); err != nil {
			return err
		}
	}
	return nil
}

// CheckSchemas returns a validation error about what a tool takes or returns when it asks for
// more work than there is. A log may hold such a tool from before there was a bound: it is
// known by its name then, and not called.
func (t Tool) CheckSchemas() error {
	for _, of := range []struct {
		what   string
		schema json.RawMessage
	}{{"parameters", t.Schema}, {"answers", t.Returns}} {
		if !schemaIsBounded(of.schema) {
			return &Error{Op: "check tools", Category: Validation, Code: CodeSchemaTooLarge, Field: "capabilities",
				Message: fmt.Sprintf("tool %s can't be used: with its references written out, the schema of its %s has more than %d parts, which is the bound. Whoever offers the tool has to make it simpler", clip(t.Name, MaxToolNameBytes), of.what, MaxSchemaNodes)}
		}
	}
	return nil
}

func checkParameters(t Tool) error {
	const op = "check tools"
	seen := map[string]bool{}
	for n, p := range t.Parameters {
		switch {
		case p.Name == "" || len(p.Name) > MaxToolNameBytes:
			return Invalid(op, "capabilities", fmt.Sprintf("parameter %d of tool %s has no name of 1 to %d bytes", n+1, t.Name, MaxToolNameBytes))
		case seen[p.Name]:
			return Invalid(op, "capabilities", fmt.Sprintf("tool %s has two parameters named %s: each needs a name of its own", t.Name, p.Name))
		case len(p.Description) > MaxToolTextBytes:
			return Invalid(op, "capabilities", fmt.Sprintf("parameter %s of tool %s has a description over %d bytes", p.Name, t.Name, MaxToolTextBytes))
		}
		switch p.Type {
		case TypeString, TypeNumber, TypeInteger, TypeBoolean, TypeObject, TypeArray, TypeAny:
		default:
			return Invalid(op, "capabilities", fmt.Sprintf("parameter %s of tool %s has the type %q; it must be one of %s", p.Name, t.Name, clip(string(p.Type), MaxToolNameBytes), ParameterTypes()))
		}
		seen[p.Name] = true
	}
	return nil
}

// CheckParams judges an invocation's parameters, a JSON object, by what the tool
// declares. The validation error names every parameter that is wrong.
func (t Tool) CheckParams(params json.RawMessage) error {
	const op = "check parameters"
	if len(params) > MaxParamsBytes {
		return tooLong(op, "params", len(params), MaxParamsBytes)
	}
	given, err := paramsOf(params)
	if err != nil {
		return err
	}
	declared := map[string]bool{}
	var wrong []string
	for _, p := range t.Parameters {
		declared[p.Name] = true
		value, ok := given[p.Name]
		switch {
		case ok && isNull(value) && TakesNull(t.Schema, p.Name):
		case !ok || isNull(value):
			if p.Required {
				wrong = append(wrong, fmt.Sprintf("%s is required (%s)", p.Name, p.Type))
			}
		case p.Type == TypeInteger && len(t.Schema) > 0 && isWhole(value): // of any size, as it goes out as it was written
		case !p.Type.fits(value):
			wrong = append(wrong, p.Name+" must be of type "+p.Type.inWords())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !declared[name] && len(t.Schema) == 0 { // a schema says itself what else it takes
			wrong = append(wrong, fmt.Sprintf("%s is not a parameter of %s", clip(name, MaxToolNameBytes), t.Name))
		}
	}
	if len(wrong) > maxWrongTold {
		wrong = append(wrong[:maxWrongTold], fmt.Sprintf("%d more are wrong", len(wrong)-maxWrongTold))
	}
	if len(wrong) > 0 {
		return Invalid(op, "params", strings.Join(wrong, "; "))
	}
	return nil
}

// maxWrongTold bounds how many wrong parameters an error names: every one that
// can be declared, and strangers up to as many.
const maxWrongTold = MaxParameters

// NormalParams writes parameters that CheckParams passed without spaces, each
// name once and in order: what was judged is what is sent. Absent ones are an
// empty object.
func NormalParams(params json.RawMessage) (json.RawMessage, error) {
	given, err := paramsOf(params)
	if err != nil {
		return nil, err
	}
	return marshal(given)
}

// paramsOf reads a JSON object; nothing and null are an empty one.
func paramsOf(params json.RawMessage) (map[string]json.RawMessage, error) {
	given := map[string]json.RawMessage{}
	if len(params) == 0 {
		return given, nil
	}
	if err := CheckNesting("check parameters", "params", params, 0); err != nil {
		return nil, err
	}
	if !utf8.Valid(params) || json.Unmarshal(params, &given) != nil {
		return nil, Invalid("check parameters", "params", "params is not a JSON object in UTF-8")
	}
	if given == nil {
		given = map[string]json.RawMessage{}
	}
	return given, nil
}

// fits reports whether a JSON value is of the type.
func (t ParameterType) fits(value json.RawMessage) bool {
	var v any
	if json.Unmarshal(value, &v) != nil {
		return false
	}
	if t == TypeAny {
		return true
	}
	switch v.(type) {
	case string:
		return t == TypeString
	case bool:
		return t == TypeBoolean
	case float64:
		return t == TypeNumber || t == TypeInteger && isInteger(value)
	case map[string]any:
		return t == TypeObject
	case []any:
		return t == TypeArray
	}
	return false
}

func isNull(value json.RawMessage) bool { return string(bytes.TrimSpace(value)) == "null" }

// isWhole reports whether a JSON number is written as an integer.
func isWhole(number json.RawMessage) bool {
	digits := bytes.TrimPrefix(bytes.TrimSpace(number), []byte("-"))
	return len(digits) > 0 && bytes.Trim(digits, "0123456789") == nil
}

// isInteger reports whether a JSON number is one that every reader takes for the
// same integer.
func isInteger(number json.RawMessage) bool {
	n, err := strconv.ParseInt(string(bytes.TrimSpace(number)), 10, 64)
	return err == nil && n >= -MaxInteger && n <= MaxInteger
}

// inWords is the type with what its name doesn't say.
func (t ParameterType) inWords() string {
	if t == TypeInteger {
		return fmt.Sprintf("integer (written without fraction or exponent, from %d to %d)", -MaxInteger, MaxInteger)
	}
	return string(t)
}

// Codes of a name that invokes nothing. All are of category not_found.
const (
	CodeNoTool        Code = "no_tool"         // nothing offers it
	CodeAmbiguousTool Code = "ambiguous_tool"  // more than one interface does
	CodeToolOffline   Code = "tool_offline"    // what offers it doesn't answer
	CodeToolPending   Code = "tool_unapproved" // what offers it waits for the person
)

// maxNamesTold bounds the names an error lists.
const maxNamesTold = 8

// ResolveOffer is Offer with the reason why there is none: a not-found error
// with one of the codes above, which lists the qualified names when the one given
// is that of several tools.
func (r *Registry) ResolveOffer(name string) (Offer, error) { return r.ResolveOfferBeside(nil, name) }

// ResolveOfferBeside is ResolveOffer among what interfaces offer and what Chalie
// itself can do, if that isn't nil.
func (r *Registry) ResolveOfferBeside(own *Interface, name string) (Offer, error) {
	offers := r.OffersBeside(own)
	if o, ok := offerIn(offers, name); ok {
		return o, nil
	}
	refused := func(code Code, message string) error {
		return &Error{Op: "find tool", Category: NotFound, Code: code, Field: "name", Message: message}
	}
	shown := clip(name, MaxToolNameBytes)
	var same []string
	for _, o := range offers {
		if o.GoesBy(name) {
			same = append(same, o.Name)
		}
	}
	if len(same) > 0 {
		return Offer{}, refused(CodeAmbiguousTool, fmt.Sprintf("%s is offered by %d interfaces: name one of %s", shown, len(same), someOf(same)))
	}
	for _, i := range r.Listed() {
		for _, t := range i.Tools {
			if o := (Offer{Tool: t, Interface: i}); !o.GoesBy(name) {
				continue
			}
			if i.Status() == StatusPending {
				return Offer{}, refused(CodeToolPending, fmt.Sprintf("%s belongs to %s, which waits for your approval: approve its scopes first", shown, i.Name))
			}
			return Offer{}, refused(CodeToolOffline, fmt.Sprintf("%s belongs to %s, which is offline: it can be invoked again when %s answers", shown, i.Name, i.Name))
		}
	}
	return Offer{}, refused(CodeNoTool, fmt.Sprintf("there is no tool %q: list the tools to see which there are", shown))
}

// GoesBy reports whether a name means the tool: its own, or a qualified one.
func (o Offer) GoesBy(name string) bool {
	if o.Tool.Name == name {
		return true
	}
	whose, ok := strings.CutSuffix(name, "."+o.Tool.Name)
	if !ok || whose == o.Interface.Name {
		return ok
	}
	return !o.IsOwn() && (whose == o.Interface.ID.UUID() || whose == o.Interface.ID.String())
}

// ownCapabilities begins the capability ids of what Chalie itself can do.
const ownCapabilities = "chalie/"

// CapabilityID names the tool in the policy's books: interface id, slash, the
// interface's own name for the tool. Of Chalie's own it is chalie, slash, name.
func (o Offer) CapabilityID() string {
	if o.IsOwn() {
		return ownCapabilities + o.Tool.Name
	}
	return o.Interface.ID.UUID() + "/" + o.Tool.Name
}

// someOf lists names, sorted, and how many it left out.
func someOf(names []string) string {
	names = slices.SortedFunc(slices.Values(names), cmp.Compare[string])
	if len(names) <= maxNamesTold {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxNamesTold], ", "), len(names)-maxNamesTold)
}
