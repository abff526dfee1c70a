package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Two servers of the Model Context Protocol that nobody here wrote: .ci/mcp-servers brings
// @modelcontextprotocol/server-everything and @modelcontextprotocol/server-memory from npm,
// and CHALIE_MCP_SERVERS is the node_modules folder that they are in.

// publishedServer is the program of one of them. A test that has none says so and is left out.
func publishedServer(t *testing.T, name string) string {
	t.Helper()
	folder := os.Getenv("CHALIE_MCP_SERVERS")
	program := filepath.Join(folder, "@modelcontextprotocol", "server-"+name, "dist", "index.js")
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node on this machine, which runs MCP servers from npm")
	}
	if _, err := os.Stat(program); folder == "" || err != nil {
		t.Skipf("there is no %s: let .ci/mcp-servers bring it, and set CHALIE_MCP_SERVERS", "@modelcontextprotocol/server-"+name)
	}
	return program
}

func TestPublishedMCPServers(t *testing.T) {
	everything, memory := publishedServer(t, "everything"), publishedServer(t, "memory")
	t.Setenv("CHALIE_TEST_NAMED", "is passed on")
	t.Setenv("CHALIE_TEST_KEPT", "is kept back")
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	if said := v.addsMCP("everything", []string{"node", everything}, "--env", "CHALIE_TEST_NAMED"); !strings.Contains(said, "get-sum") || !strings.Contains(said, "only looks") {
		t.Errorf("adding it says\n%s", said)
	}
	v.addsMCP("memory", []string{"node", memory})
	if said := v.chalie("interfaces"); strings.Count(said, "online") != 2 || !strings.Contains(said, "everything  online") {
		t.Errorf("the interfaces are\n%s", said)
	}

	// Of the environment it has what was named, and nothing else of Chalie's.
	if said := v.chalie("tool", "invoke", "get-env"); !strings.Contains(said, "is passed on") || strings.Contains(said, "is kept back") || strings.Contains(said, "CHALIE_TEST_KEPT") {
		t.Errorf("its environment is\n%s", said)
	}
	if log := v.chalie("log", "--type", "mcp.server_added", "--json"); !strings.Contains(log, "CHALIE_TEST_NAMED") || strings.Contains(log, "is passed on") {
		t.Errorf("the log says\n%s", log)
	}

	// Asked for in words it waits for a yes, and is explained like any tool.
	v.says("use get-sum a: 4 b: 5")
	v.eventually("what waits", func() string { return v.chalie("approvals") }, "get-sum of everything")
	v.says("yes")
	v.eventually("the answer", func() string { return v.chalie("conversation") }, "The sum of 4 and 5 is 9.")
	if said := v.chalie("why", v.lastOf("tool.completed")); !strings.Contains(said, "you approved") || !strings.Contains(said, "use get-sum") {
		t.Errorf("why says\n%s", said)
	}

	// What is nested is checked before it is sent.
	v.chalie("tool", "invoke", "create_entities", "--params", `{"entities":[{"name":"Luigi","entityType":"restaurant","observations":["closed on Mondays"]}]}`)
	if said := v.chalie("tool", "invoke", "search_nodes", "query=Luigi"); !strings.Contains(said, "closed on Mondays") {
		t.Errorf("it remembers\n%s", said)
	}
	refused := v.wants(http.StatusBadRequest, http.MethodPost, "socket:/api/tools/create_entities/invoke", `{"params":{"entities":[{"name":"Luigi","entityType":7,"observations":"none"}]}}`)
	for _, wrong := range []string{"“entityType” of item 1 of “entities” has to be a text, and a number was given", "“observations” of item 1 of “entities” has to be a list, and a text was given"} {
		if !strings.Contains(refused, wrong) {
			t.Errorf("it was refused with %s, want %q", refused, wrong)
		}
	}
	if said := v.chalie("tool", "invoke", "trigger-long-running-operation", "duration=1", "steps=2"); !strings.Contains(said, "completed") {
		t.Errorf("a long one answers\n%s", said)
	}

	// Chalie is killed: they end with it, are there again afterwards, and are removed.
	v = v.crashes()
	v.eventually("the sum", func() string { return v.tries("tool", "invoke", "get-sum", "a=1", "b=2") }, "The sum of 1 and 2 is 3.")
	v.chalie("interfaces", "remove", "everything")
	v.chalie("interfaces", "remove", "memory")
	if said := v.chalie("interfaces"); strings.Contains(said, "everything") {
		t.Errorf("the interfaces are\n%s", said)
	}
	if left, err := filepath.Glob(filepath.Join(v.data, "mcp", "*")); err != nil || len(left) > 0 {
		t.Errorf("left are %q, %v", left, err)
	}
	v.stop()
}

// addsMCP adds a server that a command runs.
func (v *victim) addsMCP(name string, command []string, flags ...string) string {
	v.t.Helper()
	args := append([]string{"tool", "add", "mcp", "--data", v.data, "--name", name}, flags...)
	cmd := exec.CommandContext(v.t.Context(), "chalie", slices.Concat(args, []string{"--"}, command)...)
	cmd.Env = v.cmd.Env
	out, err := cmd.CombinedOutput()
	if err != nil {
		v.t.Fatalf("adding %s: %v\n%s", name, err, out)
	}
	return string(out)
}

// says sends a message to Chalie as the person.
func (v *victim) says(text string) {
	v.t.Helper()
	v.wants(http.StatusAccepted, http.MethodPost, "socket:/api/messages", fmt.Sprintf(`{"text":%q}`, text))
}

// tries is chalie for what may fail.
func (v *victim) tries(args ...string) string {
	cmd := exec.CommandContext(v.t.Context(), "chalie", append(args, "--data", v.data)...)
	cmd.Env = v.cmd.Env
	out, _ := cmd.CombinedOutput()
	return string(out)
}

// eventually asks until the answer has a text.
func (v *victim) eventually(what string, ask func() string, want string) {
	v.t.Helper()
	said := ""
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if said = ask(); strings.Contains(said, want) {
			return
		}
	}
	v.t.Fatalf("%s is\n%s\nwant %q", what, said, want)
}

// lastOf is the newest envelope of a type.
func (v *victim) lastOf(kind string) string {
	v.t.Helper()
	id := ""
	for _, rec := range v.records() {
		if string(rec.Envelope.Type) == kind {
			id = rec.Envelope.ID.String()
		}
	}
	return id
}
