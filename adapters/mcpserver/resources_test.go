package mcpserver_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/replay/explain"
)

// An episode is named as what is asked why: by an id, by "last", or by words of what was said.
func TestAnEpisodeIsNamed(t *testing.T) {
	s := openShop(t, time.Hour)
	episode := domain.TraceID{ID: domain.ID{0xe1}}
	why, err := json.Marshal(explain.Explanation{Target: explain.Focus{ID: domain.ID{0xa1}, Trace: episode}})
	if err != nil {
		t.Fatal(err)
	}
	steps, err := json.Marshal(api.TraceSteps{})
	if err != nil {
		t.Fatal(err)
	}
	s.api = func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/why/last", "/api/why/the front door":
			_, _ = w.Write(why)
		case "/api/traces/" + episode.UUID() + "/steps":
			_, _ = w.Write(steps)
		default:
			http.NotFound(w, r)
		}
	}
	session := s.connect(accepts)
	for _, name := range []string{"last", "the front door", episode.UUID()} {
		uri := "chalie://trace/" + url.PathEscape(name)
		out, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil || len(out.Contents) != 2 || !strings.Contains(out.Contents[0].Text, "envelopes") {
			t.Errorf("%s: %v, %v", uri, out, err)
		}
	}
	if out, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "chalie://trace/nothing%20of%20it"}); err == nil {
		t.Errorf("an episode that isn't there is %v", out.Contents)
	}
}
