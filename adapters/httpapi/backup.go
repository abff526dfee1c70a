package httpapi

import (
	"context"

	"chalie/adapters/api"
	"chalie/domain"
)

// BackUp backs up what is new into a folder. It calls progress every now and then, with how
// many of how many records are exported.
type BackUp func(ctx context.Context, folder string, progress func(done, total domain.Position)) (api.Backup, error)

func backupHandlers() handlers { return handlers{"backUp": (*exchange).backUp} }

// backUp is POST /api/backup: JSON lines of progress, and the result last.
func (x *exchange) backUp() error {
	var in api.BackupRequest
	if err := x.read(&in); err != nil {
		return err
	}
	if !x.trusted {
		return &domain.Error{Op: "back up", Category: domain.Policy, Code: "only_here",
			Message: "a backup can only be made from the machine that Chalie runs on: use chalie backup there"}
	}
	if x.api.cfg.BackUp == nil {
		return notRunning("back up")
	}
	var begun func(any)
	line := func(v any) { // what is refused before there is progress has its status
		if begun == nil {
			begun = x.lines()
		}
		begun(v)
	}
	made, err := x.api.cfg.BackUp(x.r.Context(), in.Folder, x.progressing(line))
	if err != nil {
		return err
	}
	line(made)
	return nil
}
