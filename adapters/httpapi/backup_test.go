package httpapi_test

import (
	"context"
	"testing"

	"chalie/adapters/api"
	"chalie/adapters/httpapi"
	"chalie/domain"
)

// TestBackUp: a backup is made over the socket alone; what fails is the last line.
func TestBackUp(t *testing.T) {
	var asked []string
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) {
		cfg.BackUp = func(_ context.Context, folder string, progress func(done, total domain.Position)) (api.Backup, error) {
			asked = append(asked, folder)
			progress(1, 2)
			if folder == "/full" {
				return api.Backup{}, &domain.Error{Op: "back up", Category: domain.Dependency, Code: domain.CodeDiskFailed, Message: "can't write /full"}
			}
			return api.Backup{Folder: folder, Records: 2}, nil
		}
	}})
	session := b.settled()
	const to = `{"folder":"/mnt/backup"}`
	b.call("POST", "/api/backup", to).wants(401)
	b.call("POST", "/api/backup", to, bearer(b.token("station", "[]"))).wants(403)
	b.call("POST", "/api/backup", to, cookie(session)).wants(403, "only_here", "use chalie backup there")
	if len(asked) > 0 {
		t.Errorf("it was made: %q", asked)
	}
	b.socket("POST", "/api/backup", to).wants(200, `{"folder":"/mnt/backup","at":0,"through":0,"records":2`)
	b.socket("POST", "/api/backup", `{"folder":"/full"}`).wants(503, "can't write /full", "disk_failed")
	b.socket("POST", "/api/backup", `{"folder":7}`).wants(400)

	b = newBench(t, settings{})
	b.socket("POST", "/api/backup", to).wants(503, "doesn't run")
}
