package brain

import (
	"cmp"

	"chalie/commands/intake"
	"chalie/commands/vault"
	"chalie/domain"
)

func fileBody(f vault.File) map[string]any {
	return map[string]any{
		"path": f.Path, "content": f.Content, "size_bytes": len(f.Content), "created_at": stamp(f.Created), "updated_at": stamp(f.Updated),
		"owner": f.Owner, "revision": f.Revision,
	}
}

// getFile is POST /vault/files/get.
func (x *request) getFile() (reply, error) {
	var in struct {
		Path string `json:"file_path"`
	}
	if err := cmp.Or(x.parameters(&in), x.reads()); err != nil {
		return nil, err
	}
	f, err := x.cfg.Vault.Get(x.ctx, x.caller, in.Path)
	if err != nil {
		return nil, err
	}
	return reply{"payload": fileBody(f)}, nil
}

// listDirectory is POST /vault/directories/list.
func (x *request) listDirectory() (reply, error) {
	var in struct {
		Path string `json:"directory_path"`
	}
	if err := cmp.Or(x.parameters(&in), x.reads()); err != nil {
		return nil, err
	}
	files, err := x.cfg.Vault.List(x.ctx, x.caller, in.Path)
	if err != nil {
		return nil, err
	}
	out := make([]map[string]any, len(files))
	for n, f := range files {
		kind := "file"
		if f.Folder {
			kind = "directory"
		}
		out[n] = map[string]any{
			"path": f.Path, "name": f.Name(), "entry_type": kind, "size_bytes": f.Size,
			"created_at": stamp(f.Created), "updated_at": stamp(f.Updated), "owner": f.Owner, "revision": f.Revision,
		}
	}
	return reply{"payload": out}, nil
}

// searchFiles is POST /vault/files/search.
func (x *request) searchFiles() (reply, error) {
	in := struct {
		Query string `json:"query"`
		Scope string `json:"directory_scope"`
		Limit int    `json:"limit"`
	}{Limit: vault.DefaultLimit}
	if err := cmp.Or(x.parameters(&in), x.reads()); err != nil {
		return nil, err
	}
	found, err := x.cfg.Vault.Search(x.ctx, x.caller, in.Query, in.Scope, in.Limit)
	if err != nil {
		return nil, err
	}
	out := make([]map[string]any, len(found))
	for n, f := range found {
		out[n] = map[string]any{"path": f.Path, "score": f.Score, "snippets": f.Snippets, "updated_at": stamp(f.Updated), "owner": f.Owner, "revision": f.Revision}
	}
	return reply{"payload": out}, nil
}

// writeFile is POST /vault/files/write.
func (x *request) writeFile() (reply, error) {
	var in struct {
		Path     string  `json:"file_path"`
		Content  string  `json:"content"`
		Revision *string `json:"revision"`
	}
	if err := x.parameters(&in); err != nil {
		return nil, err
	}
	return x.changeFile(vault.Writing{Path: in.Path, Content: in.Content, Revision: in.Revision})
}

// removeFile is POST /vault/files/remove.
func (x *request) removeFile() (reply, error) {
	var in struct {
		Path     string  `json:"file_path"`
		Revision *string `json:"revision"`
	}
	if err := x.parameters(&in); err != nil {
		return nil, err
	}
	return x.changeFile(vault.Writing{Path: in.Path, Revision: in.Revision, Remove: true})
}

// changeFile records a command and what it writes in one batch.
func (x *request) changeFile(w vault.Writing) (reply, error) {
	return x.command(func(cmd *intake.Command) (reply, error) {
		e, err := x.cfg.Vault.Write(x.ctx, x.caller, w, func(with func(domain.Envelope) ([]domain.Entry, []domain.Condition, error)) error {
			return x.cfg.Intake.Record(x.ctx, x.caller, cmd, with)
		})
		if err != nil {
			return nil, err
		}
		return x.written(e, w.Path)
	}, func(cmd *intake.Command) (reply, bool, error) {
		of := domain.NoteWrittenType
		if w.Remove {
			of = domain.NoteRemovedType
		}
		e, found, err := x.cfg.Intake.Beneath(x.ctx, cmd, of)
		if err != nil || !found {
			return nil, false, err
		}
		out, err := x.written(e, w.Path)
		return out, true, err
	})
}

// written tells of the version that was written, or that a note was removed, under the path that was asked for.
func (x *request) written(e domain.Envelope, path string) (reply, error) {
	rec, err := x.cfg.Log.Find(x.ctx, e.ID)
	if err != nil {
		return nil, err
	}
	if e.Type == domain.NoteRemovedType {
		return reply{"payload": map[string]any{"path": path, "removed": true, "updated_at": stamp(rec.RecordedAt)}}, nil
	}
	written, err := domain.Decode[domain.NoteWritten](rec.Envelope)
	if err != nil {
		return nil, err
	}
	began := rec
	if !written.NoteID.IsZero() {
		if began, err = x.cfg.Log.Find(x.ctx, written.NoteID); err != nil {
			return nil, err
		}
	}
	return reply{"payload": fileBody(vault.File{Path: path, Content: written.Content, Owner: vault.OwnerOf(began.Envelope), Revision: e.ID.String(), Created: began.RecordedAt, Updated: rec.RecordedAt})}, nil
}
