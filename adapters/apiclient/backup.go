package apiclient

import (
	"context"

	"chalie/adapters/api"
)

// BackUp backs up what is new into a folder of the machine that Chalie runs on, and calls
// progress on the way.
func (c *Client) BackUp(ctx context.Context, what api.BackupRequest, progress func(api.Progress)) (Object[api.Backup], error) {
	return posted[api.Backup](ctx, c, "/api/backup", "folder", what, progress)
}
