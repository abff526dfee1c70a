package mcpclient_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chalie/adapters/mcpclient"
)

// The test's own program is also the guard and the servers behind it: what they are to be is
// their first argument.
const (
	asGuard  = "be-a-guard"
	asEchoer = "be-an-echoer"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case asGuard:
			os.Exit(mcpclient.Guard(os.Args[2:]))
		case asEchoer:
			if err := echoer().Run(context.Background(), &mcp.StdioTransport{}); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		case asHostile:
			hostile(os.Args[2], os.Args[3:])
			return
		case asKeeper:
			keep(os.Args[2])
			return
		case asChalie:
			chalie(os.Args[2], os.Args[3])
		}
	}
	os.Exit(m.Run())
}

type echo struct {
	Text string `json:"text"`
}

// echoed is what the echoer's tool does.
func echoed(_ context.Context, _ *mcp.CallToolRequest, in echo) (*mcp.CallToolResult, any, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: in.Text}}}, nil, nil
}

// echoer is a server that says what it is told.
func echoer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "echoer", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "echo", Description: "Says what it is told"}, echoed)
	return s
}
