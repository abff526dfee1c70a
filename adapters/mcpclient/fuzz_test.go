package mcpclient

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"
	"unicode/utf8"

	"chalie/domain"
)

// FuzzMessages has a server write anything. What goes on to the library is one message a line,
// and no longer than what a few answers to it take; what is said of tools and answered to calls
// is read without harm, and can be recorded.
func FuzzMessages(f *testing.F) {
	for _, text := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"done"}],"structuredContent":{"a":1.50}}}` + "\n",
		`[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","method":"notifications/progress","params":{}}]` + "\r\n",
		"\x1b[2J\uFEFF{\"jsonrpc\":\"2.0\",\n\"id\":\"1\",\"error\":{\"code\":-32601,\"message\":\"no\"}}\nready\n", `{"id":1,"error":"x"}`, `{"method":"ping","id":{}}`, "{{[\n\n]", "\xff\xfe\n",
		`{"name":"do","description":"d","inputSchema":{"type":"object","properties":{"p":{"$ref":"#"}}},"annotations":{"readOnlyHint":true}}`, `{"name":7}`,
		`{"content":[{"type":"resource","resource":{"uri":"a","blob":"QUI="}},{"type":"image","data":"","mimeType":"x"},null],"isError":true}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 64<<10 {
			return
		}
		w := newWire(func(string) {})
		w.sent([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`))
		w.sent([]byte(`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`))
		out, err := io.ReadAll(newLines(io.NopCloser(bytes.NewReader(text)), w, 32<<10))
		if err != nil {
			t.Fatal(err)
		}
		if len(out) > 32*len(text)+64<<10 {
			t.Fatalf("%d bytes were made of %d", len(out), len(text))
		}
		for line := range bytes.Lines(out) {
			if !json.Valid(line) {
				t.Fatalf("%q goes on as %q, which is no message", text, line)
			}
		}
		if !json.Valid(text) { // as parts of a message are
			return
		}
		if r := answerOf(text); r.Text != nil && !utf8.ValidString(*r.Text) || len(r.Data) > 0 && !json.Valid(r.Data) {
			t.Fatalf("%q is the answer %+v", text, r)
		}
		if name, tool, err := toolOf(text); err == nil {
			if len(tool.Schema) > 0 && !json.Valid(tool.Schema) {
				t.Fatalf("the schema of %s is %q", name, tool.Schema)
			}
			_ = domain.CheckTools([]domain.Tool{tool}) // either is right
		}
	})
}
