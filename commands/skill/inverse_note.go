package skill

import (
	"context"

	"chalie/domain"
)

// noteBack gives a note the words that it had before, removes one that was begun, or writes one
// anew that was removed. A program's note that the person removed is the program's again.
func noteBack(ctx context.Context, u *undoing, rec domain.Record) error {
	if u.cfg.Notes == nil {
		u.staysSo("a note", " can't be changed here", "")
		return nil
	}
	id := domain.NoteOf(rec.Envelope)
	was, name, err := u.noteBefore(ctx, id, rec.Position)
	if err != nil {
		return err
	}
	now := u.now(id)
	var known, gone bool
	u.cfg.Notes.Read(func(n *domain.Notes) {
		_, known = n.All[now]
		_, gone = n.Gone[now]
	})
	u.rests(domain.NotesKey())
	switch {
	case was == nil && !known:
		u.staysSo("the note "+name, " is gone already", "")
		return nil
	case was == nil:
		gone := domain.NoteRemoved{NoteID: now}
		_, err = add(u, gone, gone.Keys())
		u.isBack("the note "+name, " is removed", "")
		return err
	case known || gone:
		was.NoteID = now
		how := " is as it was"
		if gone {
			how = " is back"
		}
		_, err = add(u, *was, was.Keys())
		u.isBack("the note "+name, how, "")
		return err
	}
	was.NoteID = domain.ID{}
	anew, err := add(u, *was, was.Keys())
	u.remade = append(u.remade, domain.Remade{WasID: id, IsID: anew})
	u.isBack("the note "+name, " is back", "")
	return err
}

// noteBefore is the version of a note before a record, nil before the first, and the note's path.
func (u *undoing) noteBefore(ctx context.Context, id domain.ID, end domain.Position) (was *domain.NoteWritten, name string, err error) {
	take := func(r domain.Record) {
		written, wrong := domain.Decode[domain.NoteWritten](r.Envelope)
		if wrong != nil {
			return
		}
		name = written.Path
		if r.Position < end {
			was = &written
		}
	}
	first, err := u.cfg.Reader.Find(ctx, id)
	if err != nil {
		return nil, "", err
	}
	take(first)
	_, err = domain.Look(ctx, u.cfg.Reader, domain.Selector{Key: domain.PlanKey(id)}, 1, maxLooked, take)
	return was, name, err
}
