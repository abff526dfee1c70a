package mcpserver

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// NotDiscovered is the answer to a message with which a client looks for the versions of the
// protocol that have no sessions, none of which is spoken here. False for any other message.
//
// Told which versions there are, some clients give up; told that there is no such method, all
// begin a session, as they do with every server that is older than the method.
func NotDiscovered(message []byte) (answer []byte, asked bool) {
	var probe struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if json.Unmarshal(message, &probe) != nil || probe.Method != "server/discover" || len(probe.ID) == 0 {
		return nil, false
	}
	answer, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": probe.ID, "error": map[string]any{
		"code": jsonrpc.CodeMethodNotFound, "message": "server/discover isn't known here: begin with initialize",
	}})
	return answer, err == nil
}
