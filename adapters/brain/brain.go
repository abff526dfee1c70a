package brain

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"mime"
	"net/http"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/commands/intake"
	"chalie/commands/message"
	"chalie/commands/pairing"
	"chalie/commands/tool"
	"chalie/commands/vault"
	"chalie/domain"
)

// Log is what is read of the log.
type Log interface {
	domain.Reader
	domain.Tailer
}

// Config is what is served. All but Logger are required.
type Config struct {
	Intake     *intake.Intake
	Vault      *vault.Vault
	Messages   *message.Messages
	Tools      *tool.Tools
	Approvals  *tool.Approvals
	Interfaces *pairing.Interfaces
	Hub        *Hub
	Log        Log
	Clock      domain.Clock
	Tokens     tool.Tokens
	Applied    commands.Barrier // of what a token is known by
	// Token is the caller that shows a token; false of one that isn't good.
	Token func(token string) (commands.Caller, bool)
	// Seen notes a sign of life of a program, and has one that was away looked at soon.
	Seen func(domain.ID)
	// Model is the model of a profile, as a message names it; "" for the first.
	Model func(profile string) string
	// Otherwise serves all other requests on the socket.
	Otherwise http.Handler
	Logger    *slog.Logger `optional:"yes"`
}

// MaxBodyBytes bounds a request.
const MaxBodyBytes = 1 << 20

// maxDiscarded bounds what is still read of a request that is too large.
const maxDiscarded = 16 << 20

// New makes the handler of the socket.
func New(cfg Config) (http.Handler, error) {
	if err := commands.Complete("configure brain", cfg); err != nil {
		return nil, err
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	s := &server{cfg}
	mux := http.NewServeMux()
	for path, handle := range map[string]func(*request) (reply, error){
		"/lms/chat":               (*request).chat,
		"/vault/files/get":        (*request).getFile,
		"/vault/directories/list": (*request).listDirectory,
		"/vault/files/search":     (*request).searchFiles,
		"/vault/files/write":      (*request).writeFile,
		"/vault/files/remove":     (*request).removeFile,
		"/capabilities/describe":  (*request).describe,
		"/capabilities/invoke":    (*request).invoke,
		"/capabilities/register":  (*request).register,
		"/capabilities/next":      (*request).nextCall,
		"/capabilities/answer":    (*request).answerCall,
	} {
		mux.Handle("POST "+path, s.handler(path, handle))
		mux.HandleFunc(path, s.wrongMethod)
	}
	mux.Handle("/", cfg.Otherwise)
	return mux, nil
}

type server struct{ cfg Config }

// wrongMethod refuses all methods but POST.
func (s *server) wrongMethod(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Allow", http.MethodPost)
	s.answer(w, &request{server: s, ctx: r.Context(), route: r.URL.Path}, nil, &statusError{http.StatusMethodNotAllowed, &domain.Error{Op: "read request",
		Category: domain.Validation, Code: "method_not_allowed", Message: fmt.Sprintf("%.20s is not a method of this path: use POST", r.Method)}})
}

// request is one request of a program.
type request struct {
	*server
	ctx    context.Context
	route  string
	caller commands.Caller
	body   map[string]json.RawMessage
	text   []byte                 // as it was sent
	asked  domain.CommandReceived // its metadata
	at     domain.Millis          // of a command that was recorded; 0 of anything else
	of     domain.ID              // the command that is answered; none of what is only read
	settle func()                 // lets in who sends a command again: once it is recorded there is what they are told
}

// reply is the members of an answer beside its metadata and errors.
type reply map[string]any

// fault is a failure as the SDK reads it.
type fault struct {
	Code      domain.Code       `json:"code"`
	Message   string            `json:"message"`
	Category  string            `json:"category"`
	Retryable bool              `json:"retryable"`
	Metadata  map[string]string `json:"metadata"`
}

// failed is a failure that comes with an answer all the same.
type failed struct {
	faults []fault
}

func (f failed) Error() string { return f.faults[0].Message }

// statusError is a transport failure.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string { return e.err.Error() }
func (e *statusError) Unwrap() error { return e.err }

func (s *server) handler(path string, handle func(*request) (reply, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			cause := recover()
			if cause == nil {
				return
			}
			if err, ok := cause.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(cause)
			}
			s.cfg.Logger.Error("a request panicked", slog.String("path", path), slog.Any("panic", cause), slog.String("stack", string(debug.Stack())))
			s.write(w, http.StatusInternalServerError, reply{"errors": []fault{{Code: "internal", Message: "something went wrong inside Chalie: its log says what", Category: "internal", Retryable: true, Metadata: map[string]string{}}}})
		}()
		x := &request{server: s, ctx: r.Context(), route: path}
		var out reply
		err := x.admit(w, r)
		if err == nil {
			out, err = handle(x)
		}
		s.answer(w, x, out, err)
	})
}

// answer writes what came of a request.
func (s *server) answer(w http.ResponseWriter, x *request, out reply, err error) {
	if out == nil {
		out = reply{}
	}
	if _, said := out["errors"]; !said {
		out["errors"] = []fault{}
	}
	status, at := http.StatusOK, x.at
	if at == 0 {
		at = domain.MillisOf(s.cfg.Clock.Now())
	}
	if err != nil {
		out["errors"] = faultsOf(err)
		status = statusOf(err)
		if wait := retryAfter(err); wait > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(wait))
		}
		if status >= http.StatusInternalServerError && x.ctx.Err() == nil {
			s.cfg.Logger.Warn("a request of a program failed", slog.String("path", x.route), slog.Int("status", status), slog.Any("error", err))
		}
	}
	out["metadata"] = map[string]any{
		"kind": "result", "source": "chalie", "principal": string(x.caller.Principal), "trace_id": x.asked.TraceID, "parent_id": x.asked.EnvelopeID,
		"envelope_id": x.answerID().String(), "timestamp": int64(at),
	}
	s.write(w, status, out)
}

// answerID is the id of an answer's envelope. That of a command follows from the command's, so that an
// answer that is told again has it again.
func (x *request) answerID() domain.ID {
	if x.of.IsZero() {
		return x.cfg.Intake.NewID()
	}
	const own = 8 // bytes of an id behind its time, without the two bits that say what it is
	id, sum := x.of, sha256.Sum256(append(x.of[:], "answer"...))
	for i := range own {
		id[len(id)-own+i] = sum[i]
	}
	id[len(id)-own] = x.of[len(id)-own]&0xc0 | sum[0]&0x3f
	return id
}

// stampLayout is ISO 8601 with milliseconds and an offset.
const stampLayout = "2006-01-02T15:04:05.000-07:00"

func stamp(m domain.Millis) string { return m.Time().UTC().Format(stampLayout) }

func (s *server) write(w http.ResponseWriter, status int, out reply) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		http.Error(w, `{"errors":[{"code":"internal","message":"the answer could not be written","category":"internal","retryable":false,"metadata":{}}]}`, http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes()) // a peer that is gone is no error of ours
}

// faultsOf is an error as the SDK reads it.
func faultsOf(err error) []fault {
	if f, ok := errors.AsType[failed](err); ok {
		return f.faults
	}
	out := fault{Code: "internal", Message: "something went wrong inside Chalie: its log says what", Category: "internal", Metadata: map[string]string{}}
	if e, ok := errors.AsType[*domain.Error](err); ok {
		out.Code, out.Retryable = e.Code, e.Retriable
		if e.Message != "" {
			out.Message = e.Message
		}
		if e.Category != "" {
			out.Category = string(e.Category)
		}
		if e.Code == domain.CodeRateLimited {
			out.Category, out.Retryable = string(domain.Policy), true
		}
		if e.Field != "" {
			out.Metadata["field"] = e.Field
		}
	} else if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		out = fault{Code: "cancelled", Message: "Chalie is too busy or shutting down: try again in a moment", Category: string(domain.Dependency), Retryable: true, Metadata: map[string]string{}}
	}
	return []fault{out}
}

// statusOf is 200 for what is wrong in the domain.
func statusOf(err error) int {
	if e, ok := errors.AsType[*statusError](err); ok {
		return e.status
	}
	switch domain.CodeOf(err) {
	case domain.CodeUnauthenticated:
		return http.StatusUnauthorized
	case domain.CodeRateLimited:
		return http.StatusTooManyRequests
	case domain.CodeTooLarge:
		return http.StatusRequestEntityTooLarge
	case domain.CodeClosed, "starting":
		return http.StatusServiceUnavailable
	}
	_, typed := errors.AsType[*domain.Error](err)
	_, told := errors.AsType[failed](err)
	switch {
	case typed || told:
		return http.StatusOK
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

func retryAfter(err error) int {
	if e, ok := errors.AsType[*domain.Error](err); ok && e.RetryAfter > 0 {
		return int(math.Ceil(e.RetryAfter.Seconds()))
	}
	return 0
}

// admit finds the caller and reads the body.
func (x *request) admit(w http.ResponseWriter, r *http.Request) error {
	x.caller = commands.OperatorCaller("socket")
	if r.Header.Get("Origin") != "" {
		return &statusError{http.StatusForbidden, &domain.Error{Op: "read request", Category: domain.Policy, Code: "cross_origin", Message: "a page sent this: only programs may call here"}}
	}
	if auth := r.Header.Get("Authorization"); auth != "" {
		if err := x.show(auth); err != nil {
			return err
		}
	}
	x.caller.Zone = r.Header.Get(api.TimezoneHeader)
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return &statusError{http.StatusUnsupportedMediaType, domain.Invalid("read request", "", "this request doesn't say that it sends JSON: send it with Content-Type: application/json")}
	}
	body := r.Body
	text, err := io.ReadAll(http.MaxBytesReader(w, body, MaxBodyBytes))
	if _, over := errors.AsType[*http.MaxBytesError](err); over {
		// A client that is still sending when the connection is closed doesn't get to read why.
		_, _ = io.CopyN(io.Discard, body, maxDiscarded)
		return &domain.Error{Op: "read request", Category: domain.Validation, Code: domain.CodeTooLarge, Message: fmt.Sprintf("the body is over %d bytes: send less", MaxBodyBytes)}
	}
	if err != nil {
		return &statusError{http.StatusBadRequest, domain.Invalid("read request", "", "the body ended early or could not be read: send it again")}
	}
	return x.read(domain.WithoutMark(text))
}

// show finds the caller that a token belongs to.
func (x *request) show(auth string) error {
	scheme, token, _ := strings.Cut(auth, " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Bearer") {
		token = ""
	}
	caller, ok := x.cfg.Token(token)
	if !ok {
		// After a start the token may not be known yet.
		if err := x.cfg.Applied.WaitFor(x.ctx, x.cfg.Log.Tail()); err != nil {
			return err
		}
		caller, ok = x.cfg.Token(token)
	}
	if !ok {
		return &domain.Error{Op: "authenticate", Category: domain.Policy, Code: domain.CodeUnauthenticated,
			Message: "this token isn't known or was revoked: register with a pairing key to get one, or send none to speak as the operator"}
	}
	x.caller = caller
	if id, isProgram := x.program(); isProgram {
		x.cfg.Seen(id)
	}
	return nil
}

// program is the paired program that calls.
func (x *request) program() (domain.ID, bool) {
	id, err := domain.ParseID(string(x.caller.Principal))
	return id, err == nil && !x.caller.Operator
}

// read takes the body apart.
func (x *request) read(text []byte) error {
	notJSON := func(why string) error {
		return &statusError{http.StatusBadRequest, &domain.Error{Op: "read request", Category: domain.Validation, Code: "bad_json", Message: why}}
	}
	if err := domain.CheckNesting("read request", "", text, wrapping); err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(&x.body); err != nil || x.body == nil {
		return notJSON("the body is no JSON object: send one")
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return notJSON("the body goes on behind its JSON object: send one object alone")
	}
	var meta struct {
		EnvelopeID string          `json:"envelope_id"`
		TraceID    string          `json:"trace_id"`
		ParentID   string          `json:"parent_id"`
		Kind       string          `json:"kind"`
		Source     string          `json:"source"`
		Principal  string          `json:"principal"`
		Timestamp  json.RawMessage `json:"timestamp"`
	}
	if err := x.take(&meta); err != nil {
		return err
	}
	x.asked = domain.CommandReceived{Route: x.route, EnvelopeID: meta.EnvelopeID, TraceID: meta.TraceID, ParentID: meta.ParentID, Source: meta.Source, Principal: meta.Principal}
	if meta.Kind != "" && meta.Kind != string(domain.KindCommand) {
		return domain.Invalid("read request", "kind", fmt.Sprintf("kind is %.64q: a request is a command", meta.Kind))
	}
	var err error
	x.asked.SentAt, err = sentAt(meta.Timestamp)
	x.text, x.asked.BodyHash = text, bodyHash(text)
	return err
}

// wrapping is how many objects enclose what a body nests.
const wrapping = 1

// sentAt is when a request says that it was sent: ISO 8601, or Unix milliseconds.
func sentAt(text json.RawMessage) (string, error) {
	if len(text) == 0 || string(text) == "null" || string(text) == `""` {
		return "", nil
	}
	var said string
	if json.Unmarshal(text, &said) == nil {
		if _, err := time.Parse(time.RFC3339Nano, said); err == nil {
			return said, nil
		}
	} else if ms, err := strconv.ParseInt(string(text), 10, 64); err == nil && ms >= 0 {
		return stamp(domain.Millis(min(ms, 1<<47))), nil
	}
	return "", domain.Invalid("read request", "timestamp", "timestamp is no time: give one such as 2026-11-27T09:00:00+00:00")
}

// bodyHash is the hash of a request without what is new each time that it is sent: the time, and the
// trace_id that the SDK makes where none is given. One that is sent again is the same.
func bodyHash(text []byte) string {
	return hashOf(text, func(all map[string]any) { delete(all, "trace_id") })
}

// formerHash is the hash that earlier builds recorded of a request, when the first had a trace_id: it
// was a part of what had to be the same.
func formerHash(text []byte, traceID string) string {
	return hashOf(text, func(all map[string]any) {
		if traceID != "" { // else it had none, or an empty one
			all["trace_id"] = traceID
		}
	})
}

// hashOf is the hash of a request without the time at which it was sent, and as change leaves it.
func hashOf(text []byte, change func(map[string]any)) string {
	var all map[string]any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if dec.Decode(&all) != nil || all == nil {
		return commands.BodyHash(text)
	}
	delete(all, "timestamp")
	change(all)
	same, err := json.Marshal(all)
	if err != nil {
		return commands.BodyHash(text)
	}
	return commands.BodyHash(same)
}

// take reads the members that a shape names, and forgets them.
func (x *request) take(into any) error {
	v := reflect.ValueOf(into).Elem()
	for field, value := range v.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		text, sent := x.body[name]
		delete(x.body, name)
		if !sent || string(text) == "null" {
			continue
		}
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.DisallowUnknownFields()
		if err := dec.Decode(value.Addr().Interface()); err != nil {
			if _, unknown, ok := strings.Cut(err.Error(), "unknown field "); ok {
				return unknownMembers(name, unknown)
			}
			return domain.Invalid("read request", name, fmt.Sprintf("%s is of the wrong type: it must be %s", name, kindOf(field.Type)))
		}
	}
	return nil
}

// parameters reads the members of a route; what is left then is unknown, and refused.
func (x *request) parameters(into any) error {
	if err := x.take(into); err != nil {
		return err
	}
	if len(x.body) == 0 {
		return nil
	}
	names := make([]string, 0, len(x.body))
	for name := range x.body {
		names = append(names, fmt.Sprintf("%.64q", name))
	}
	slices.Sort(names)
	names = names[:min(len(names), 8)]
	return unknownMembers("the request", strings.Join(names, ", "))
}

// unknownMembers refuses what would be passed over otherwise.
func unknownMembers(where, names string) error {
	return &domain.Error{Op: "read request", Category: domain.Validation, Code: "unknown_member", Message: fmt.Sprintf("%s has members that aren't known here: %.600s: leave them out", where, names)}
}

func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "JSON"
		}
		return "a list"
	case reflect.Map:
		return "an object"
	case reflect.Pointer:
		return kindOf(t.Elem())
	}
	return "a text"
}

// reads lets a request in that changes nothing, and so isn't recorded.
func (x *request) reads() error {
	return x.cfg.Intake.Reads(x.ctx, x.caller, x.asked)
}

// command lets a command in, does it, and answers it as the first time when it comes again. do
// records it with what it does; again tells what was done, or reports false when nothing was.
func (x *request) command(do func(*intake.Command) (reply, error), again func(*intake.Command) (reply, bool, error)) (reply, error) {
	cmd, release, err := x.cfg.Intake.Enter(x.ctx, x.caller, x.asked, func(was domain.CommandReceived) string { return formerHash(x.text, was.TraceID) })
	if err != nil {
		return nil, err
	}
	defer release()
	x.settle = release
	defer func() { x.of, x.at = cmd.Envelope.ID, cmd.Envelope.Timestamp }() // the same when it comes again
	if cmd.Repeated {
		if out, done, err := again(cmd); done || err != nil {
			return out, err
		}
		if out, refused, err := x.refusedBefore(cmd); refused || err != nil {
			return out, err
		}
	}
	out, err := do(cmd)
	if err != nil && statusOf(err) == http.StatusOK && !faultsOf(err)[0].Retryable {
		x.keep(cmd, out, err)
	}
	return out, err
}

// keep records a refusal. When the log can't, a repeat is judged anew.
func (x *request) keep(cmd *intake.Command, out reply, err error) {
	if out == nil {
		out = reply{}
	}
	out["errors"] = faultsOf(err)
	text, wrong := json.Marshal(out)
	if wrong == nil && cmd.Envelope.ID.IsZero() {
		wrong = x.cfg.Intake.Record(context.WithoutCancel(x.ctx), x.caller, cmd, nil)
	}
	if wrong == nil {
		wrong = x.cfg.Intake.Refused(context.WithoutCancel(x.ctx), cmd, string(text))
	}
	if wrong != nil {
		x.cfg.Logger.Warn("a refusal couldn't be recorded", slog.Any("error", wrong))
	}
}

// refusedBefore is the refusal that a command was answered with.
func (x *request) refusedBefore(cmd *intake.Command) (reply, bool, error) {
	e, found, err := x.cfg.Intake.Beneath(x.ctx, cmd, domain.RequestAnsweredType)
	if err != nil || !found {
		return nil, false, err
	}
	given, err := domain.Decode[domain.RequestAnswered](e)
	if err != nil {
		return nil, true, err
	}
	out := reply{}
	return out, true, json.Unmarshal([]byte(given.Body), &out)
}
