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

// What is named may have any character, escaped or not: an address is taken as it is meant.
func TestNamesInAddresses(t *testing.T) {
	s := openShop(t, time.Hour)
	s.api = func(w http.ResponseWriter, r *http.Request) {
		named, _ := strings.CutPrefix(r.URL.Path, "/api/why-not/")
		if err := json.NewEncoder(w).Encode(map[string]string{"asked": named}); err != nil {
			t.Error(err)
		}
	}
	session := s.connect(accepts)
	for _, name := range []string{"last", "pos:42", "the front door", "Luigi's closed", "50% off?", "R&D, a+b = c", "q/a #2", "Größe"} {
		for _, written := range []string{name, url.PathEscape(name)} {
			if strings.Contains(written, "%") && written == name {
				continue // it can't be told from what is escaped
			}
			out, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "chalie://why-not/" + written})
			if err != nil || len(out.Contents) == 0 || !strings.Contains(out.Contents[0].Text, `"asked":`) {
				t.Errorf("%s: %v, %v", written, out, err)
				continue
			}
			var got struct{ Asked string }
			if err := json.Unmarshal([]byte(out.Contents[0].Text), &got); err != nil || got.Asked != name {
				t.Errorf("%s is taken for %q (%v)", written, got.Asked, err)
			}
		}
	}
	for _, uri := range []string{"chalie://nowhere", "chalie://why/", "file:///etc/passwd"} {
		if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil || !strings.Contains(err.Error(), "resources/list") {
			t.Errorf("%s is answered with %v, which says nothing of what there is", uri, err)
		}
	}
}
