package main

import (
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"testing"
)

const signingTool = `[{"name":"sign_in","description":"Signs in","parameters":[{"name":"user","type":"string","required":true,"description":""},{"name":"password","type":"string","required":true,"description":""}]}]`

// A secret reaches the tool that needs it, and no file of Chalie's. That what
// stands beside it does shows that it would be found.
func TestASecretIsInNoFile(t *testing.T) {
	t.Parallel()
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	p := newProgram(t, "bank")
	p.on("/capabilities", saying(signingTool))
	p.listen("127.0.0.1:0")
	v.pair(p)
	sent := make(chan []byte, 1)
	p.on("/execute", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent <- body
		saying(`{"text":"done","data":null,"error":null}`)(w, r)
	})
	const secret, beside = "correct-horse-battery-staple", "ada-lovelace-of-london"
	v.wants(http.StatusOK, http.MethodPost, "socket:/api/tools/sign_in/invoke", `{"params":{"user":"`+beside+`","password":"`+secret+`"}}`)
	if body := <-sent; !bytes.Contains(body, []byte(secret)) {
		t.Errorf("the tool got %s", body)
	}
	v.stop()
	found := map[string]int{}
	err := filepath.WalkDir(v.data, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		for _, text := range []string{secret, beside} {
			found[text] += bytes.Count(content, []byte(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if found[secret] != 0 || found[beside] == 0 {
		t.Errorf("the files hold the secret %d times, and what stands beside it %d times", found[secret], found[beside])
	}
}
