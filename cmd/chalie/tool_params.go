package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"chalie/adapters/apiclient"
	"chalie/domain"
)

// parametersOf reads what was given for a tool: a JSON object, and name=value of
// the declared types beside it. The errors are for the person who wrote them.
func parametersOf(tool apiclient.Tool, object string, pairs []string) (json.RawMessage, error) {
	given := map[string]json.RawMessage{}
	if object != "" && (json.Unmarshal([]byte(object), &given) != nil || given == nil) {
		return nil, fmt.Errorf("--params is not a JSON object; write it like '%s'", sample(tool))
	}
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, fmt.Errorf("%q is no parameter; write name=value", pair)
		}
		declared, ok := parameterNamed(tool, name)
		if !ok {
			names := make([]string, len(tool.Parameters))
			for i, p := range tool.Parameters {
				names[i] = p.Name
			}
			return nil, fmt.Errorf("%s has no parameter %q; it takes %s%s", tool.Name, name, signature(tool.Parameters), didYouMean(nearest(name, names, slips(name))))
		}
		if _, twice := given[name]; twice {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		text, err := valueOf(declared, value)
		if err != nil {
			return nil, err
		}
		given[name] = text
	}
	return json.Marshal(given)
}

func parameterNamed(tool apiclient.Tool, name string) (domain.Parameter, bool) {
	for _, p := range tool.Parameters {
		if p.Name == name {
			return p, true
		}
	}
	return domain.Parameter{}, false
}

// takes is how a value of each type is written.
func takes(t domain.ParameterType) string {
	switch t {
	case domain.TypeNumber:
		return "a number such as 1.5"
	case domain.TypeInteger:
		return "a whole number"
	case domain.TypeBoolean:
		return "true or false"
	case domain.TypeObject:
		return `a JSON object such as {"key":"value"}`
	}
	return "text"
}

// valueOf reads a value as the type its parameter is declared with.
func valueOf(p domain.Parameter, value string) (json.RawMessage, error) {
	if p.Type == domain.TypeString {
		return json.Marshal(value)
	}
	probe := domain.Tool{Name: "it", Parameters: []domain.Parameter{{Name: p.Name, Type: p.Type, Required: true}}}
	text := strings.TrimSpace(value)
	if json.Valid([]byte(text)) {
		whole, err := json.Marshal(map[string]json.RawMessage{p.Name: json.RawMessage(text)})
		if err != nil {
			return nil, err
		}
		if probe.CheckParams(whole) == nil {
			return json.RawMessage(text), nil
		}
	}
	return nil, fmt.Errorf("%s is %q; give %s", p.Name, value, takes(p.Type))
}

// sample is an object of the tool's first parameter.
func sample(tool apiclient.Tool) string {
	if len(tool.Parameters) == 0 {
		return "{}"
	}
	return fmt.Sprintf("{%q: …}", tool.Parameters[0].Name)
}
