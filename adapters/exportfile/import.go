package exportfile

import (
	"context"
	"errors"
	"fmt"
	"io"

	"chalie/domain"
	"chalie/replay/repro"
)

// Importer is an empty log that is being filled.
type Importer interface {
	Append(rec domain.Record) (domain.Position, error)
	// Next is the position that the next record gets.
	Next() domain.Position
	// Lost names the positions through one lost, with the ids that this takes.
	Lost(through domain.Position, at domain.Millis, ids domain.IDs) error
	// Retired leaves the positions through one to records that went.
	Retired(through domain.Position, at domain.Millis) error
	SaveCheckpoint(name string, pos domain.Position) error
	Counts() map[domain.TypeVersion]uint64
}

// Imported is what came in.
type Imported struct {
	What       string   `json:"what"`
	Records    uint64   `json:"records"`
	Renumbered bool     `json:"renumbered"`         // the records have other positions than where they come from
	Lost       uint64   `json:"lost,omitempty"`     // positions that the file lacks, and that were named lost
	Retired    uint64   `json:"retired,omitempty"`  // positions whose records had gone when their time was over
	LeftOut    uint64   `json:"left_out,omitempty"` // records of a part that say what went, by positions that here are others'
	Images     uint64   `json:"images"`             // that the records name; their files are not among them
	Sum        string   `json:"sum"`
	Decisions  string   `json:"decisions,omitempty"` // the hash of those of a bundle's trace
	Changes    []Change `json:"changes,omitempty"`
	More       int      `json:"more,omitempty"` // changes beyond those listed

	Trace domain.ID `json:"-"` // of a bundle

	went domain.Runs // as the header says
}

// Import brings every record of a file into a log, and calls told with how many of how
// many there are, once in a while. The ids are for positions that the file lacks. Errors:
// Conflict with CodeBadLine, which names the line; what the program can't read; those of
// the log and of ctx. What came in until then is the caller's to throw away.
func Import(ctx context.Context, in *Reader, log Importer, ids domain.IDs, told func(done, total domain.Position)) (Imported, error) {
	header := in.Header()
	out := Imported{What: header.What, Trace: header.Trace}
	if next := log.Next(); header.What == Piece && header.First != next {
		return out, &domain.Error{Op: "import", Category: domain.Conflict, Code: CodeNoExport,
			Message: fmt.Sprintf("the file is a piece of a backup, from position %d, and what is before it isn't here: the next position is %d; bring back the whole backup with `chalie restore`; nothing was imported", header.First, next)}
	}
	if header.Retired != "" {
		var err error
		if out.went, err = domain.ReadRuns(header.Retired); err != nil {
			return out, noExport("it doesn't say which of its records went")
		}
	}
	digest := repro.NewDigest(domain.TraceID{ID: header.Trace})
	var last domain.Millis
	for {
		rec, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return out, err
		}
		if err := out.take(log, rec, ids); err != nil {
			return out, atLine(in, err)
		}
		last = rec.RecordedAt
		digest.Add(rec)
		if out.Records%1024 != 0 {
			continue
		}
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		told(domain.Position(out.Records), domain.Position(header.Records))
	}
	if err := out.gap(log, header.Last+1, last, ids); err != nil {
		return out, atLine(in, err)
	}
	if header.What == Repro {
		out.Decisions = digest.String()
	}
	for name, pos := range header.Consumers {
		if !out.keepsPlaces() {
			pos = domain.Position(out.Records) // a part is looked at; nobody answers what stands in it
		}
		if err := log.SaveCheckpoint(name, pos); err != nil {
			return out, err
		}
	}
	out.Sum = in.Sum()
	out.Changes, out.More = in.Changes()
	// A program that can't read its log doesn't start.
	return out, domain.Events().Gate(log.Counts())
}

// take brings in one record, behind what is missing before it. What says which positions went is
// true of a whole log alone: in a part others stand there, and would go.
func (out *Imported) take(log Importer, rec domain.Record, ids domain.IDs) error {
	if rec.Envelope.Type == domain.SpanRetiredType && !out.keepsPlaces() {
		out.LeftOut++
		return nil
	}
	if err := out.gap(log, rec.Position, rec.RecordedAt, ids); err != nil {
		return err
	}
	pos, err := log.Append(rec)
	if err != nil {
		return err
	}
	out.Records++
	out.Renumbered = out.Renumbered || pos != rec.Position
	if rec.Envelope.Type == domain.ImageUploadedType {
		out.Images++
	}
	return nil
}

// maxGap bounds what may be missing in one place of a file: a position is 20 bytes of
// it and would be a record each.
const maxGap = 1 << 20

// gap leaves the places of what went, and names lost what else a file of a whole log lacks
// before a position, so that what comes behind keeps its place and the log with the hole isn't
// taken for a whole one.
func (out *Imported) gap(log Importer, before domain.Position, at domain.Millis, ids domain.IDs) error {
	next := log.Next()
	if !out.keepsPlaces() || before <= next {
		return nil
	}
	for ; next < before; next = log.Next() {
		run, went := out.went.Covering(next)
		if through := min(run.Through, before-1); went {
			out.Retired += uint64(through-next) + 1
			if err := log.Retired(through, at); err != nil {
				return err
			}
			continue
		}
		if err := out.lose(log, next, out.went.Before(next, before-1), at, ids); err != nil {
			return err
		}
	}
	return nil
}

// keepsPlaces reports whether records keep their positions.
func (out *Imported) keepsPlaces() bool { return out.What == Whole || out.What == Piece }

// lose names lost the positions from one through another.
func (out *Imported) lose(log Importer, from, through domain.Position, at domain.Millis, ids domain.IDs) error {
	if through-from >= maxGap {
		return domain.Invalid("import", "position", fmt.Sprintf("%d records are missing before position %d, more than can be named lost", through-from+1, through+1))
	}
	out.Lost += uint64(through-from) + 1
	return log.Lost(through, at, ids)
}

// atLine names the line of a record that the log refuses.
func atLine(in *Reader, err error) error {
	refused, ok := errors.AsType[*domain.Error](err)
	if !ok || refused.Category == domain.Dependency {
		return err
	}
	told := *refused
	told.Category, told.Code = domain.Conflict, CodeBadLine
	told.Message = fmt.Sprintf("line %d can't be imported: %s; nothing was imported", in.Line(), refused.Message)
	return &told
}
