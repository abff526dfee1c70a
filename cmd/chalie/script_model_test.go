package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/testscript"

	"chalie/adapters/models"
)

// cmdModel starts a server that speaks like Anthropic's and says TEXT to who
// comes with KEY, and chooses it in the data directory's file: model KEY GIVEN
// TEXT. GIVEN is the key in the file. It sets URL to where the server listens.
func cmdModel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: model KEY GIVEN TEXT")
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Api-Key") != args[0] {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprintf(w, `{"type":"error","error":{"type":"authentication_error","message":"invalid key %s"}}`, r.Header.Get("X-Api-Key"))
			return
		}
		if r.Method == http.MethodGet {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"data":[{"type":"model","id":"claude-test","display_name":"Claude Test","max_input_tokens":200000},{"type":"model","id":"claude-best","display_name":"Claude Best"}],"has_more":false}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range []struct{ name, data string }{
			{"message_start", `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":12,"output_tokens":1}}}`},
			{"content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`},
			{"content_block_delta", fmt.Sprintf(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":%q}}`, args[2])},
			{"content_block_stop", `{"type":"content_block_stop","index":0}`},
			{"message_delta", `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}`},
			{"message_stop", `{"type":"message_stop"}`},
		} {
			fmt.Fprintf(w, "event: %s\ndata: %s\n\n", e.name, e.data)
		}
	}))
	ts.Defer(server.Close)
	ts.Setenv("URL", server.URL)
	data := ts.MkAbs("data")
	ts.Check(os.MkdirAll(data, 0o700))
	file := fmt.Sprintf(`{"models":[{"model":"anthropic:claude-test@%s","key":%q}]}`, server.URL, args[1])
	ts.Check(os.WriteFile(filepath.Join(data, models.FileName), []byte(file), 0o600))
}

// cmdNowhere fails when a text stands in a file of the data directory, but for
// the file of models: nowhere TEXT.
func cmdNowhere(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: nowhere TEXT")
	}
	read := 0
	ts.Check(filepath.WalkDir(ts.MkAbs("data"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || e.Name() == models.FileName {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte(args[0])) {
			return fmt.Errorf("%s has it", path)
		}
		read++
		return err
	}))
	if read == 0 {
		ts.Fatalf("there are no files to read")
	}
}
