package exportfile

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"chalie/domain"
)

// Reader reads one file. Make one with NewReader.
type Reader struct {
	in         *bufio.Reader
	unverified bool
	format     Format
	header     Header

	number   int    // of the line read last, from 1
	sum      string // as that line says
	last     domain.Record
	records  uint64
	ended    bool
	changes  []Change
	unlisted int
}

// Change is a line that isn't as it was written.
type Change struct {
	Line     int             `json:"line"`
	Position domain.Position `json:"position,omitempty"` // of its record; 0 when it holds none
	Envelope domain.ID       `json:"envelope_id,omitzero"`
	What     string          `json:"what"`
}

// line is one line of a file, decoded.
type line struct {
	record  domain.Record
	end     bool
	records uint64 // as the trailer says
}

// Codes of what is wrong with a file.
const (
	CodeNoExport domain.Code = "no_export"      // it is no export, or of a format this version doesn't know
	CodeBadLine  domain.Code = "bad_line"       // a line can't be a record of a log
	CodeChanged  domain.Code = "changed_export" // it isn't as it was written
)

// maxLineBytes is more than the largest envelope takes.
const maxLineBytes = 4 << 20

// maxChanges bounds the list of changes.
const maxChanges = 100

var (
	errNoRecord    = errors.New("it is neither a record nor the end of an export")
	errEncoding    = errors.New("its encoding is not known to this version")
	errTwoPayloads = errors.New("its payload stands there in two ways, or not as its encoding says")
	errLeftOver    = errors.New("something stands behind its JSON")
)

// NewReader reads the header. Unverified, lines that were changed are taken and
// listed by Changes. Errors: Conflict with CodeNoExport or CodeChanged, and
// Dependency when in fails.
func NewReader(in io.Reader, unverified bool) (*Reader, error) {
	r := &Reader{in: bufio.NewReaderSize(in, maxLineBytes), unverified: unverified}
	text, err := r.readLine()
	if errors.Is(err, io.EOF) {
		return nil, noExport("it is empty")
	}
	if err != nil {
		return nil, err
	}
	if r.header, r.format, err = ParseHeader(text); err != nil {
		return nil, err
	}
	return r, r.check(text, nil)
}

// Header is what the file says of itself.
func (r *Reader) Header() Header { return r.header }

// Line is the number of the line that was read last, from 1.
func (r *Reader) Line() int { return r.number }

// Format is what the file is written in.
func (r *Reader) Format() Format { return r.format }

// Changes are the lines that aren't as they were written, at most a hundred of
// them, and how many more there are. There are none unless the Reader doesn't
// verify.
func (r *Reader) Changes() (listed []Change, more int) { return r.changes, r.unlisted }

// Sum is that of the last line: after io.EOF it stands for the whole file.
func (r *Reader) Sum() string { return r.sum }

// Next is the next record, or io.EOF after the trailer. The record is checked:
// its envelope, and that position and time don't go back. Errors are those of
// NewReader, and Conflict with CodeBadLine, each of which names the line; after
// one there is nothing more to read.
func (r *Reader) Next() (domain.Record, error) {
	text, err := r.readLine()
	switch {
	case errors.Is(err, io.EOF) && r.ended:
		return domain.Record{}, io.EOF
	case errors.Is(err, io.EOF):
		return domain.Record{}, r.cutShort()
	case err != nil:
		return domain.Record{}, err
	case r.ended:
		return domain.Record{}, r.bad(errors.New("it stands behind the end of the export"))
	}
	read := readRecord
	if r.format == CloudEvents {
		read = readEvent
	}
	l, err := read(text)
	if err != nil {
		return domain.Record{}, r.unreadable(text, err)
	}
	if l.end {
		return domain.Record{}, r.finish(text, l.records)
	}
	if err := r.check(text, &l.record); err != nil {
		return domain.Record{}, err
	}
	if err := r.fits(l.record); err != nil {
		return domain.Record{}, r.bad(err)
	}
	r.last = l.record
	r.records++
	return l.record, nil
}

// readLine is the next line without its end; valid until the next call.
func (r *Reader) readLine() ([]byte, error) {
	text, err := r.in.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		r.number++
		return nil, r.bad(fmt.Errorf("it is longer than %d bytes", maxLineBytes))
	case errors.Is(err, io.EOF) && len(text) > 0: // the last line lacks its end
	case errors.Is(err, io.EOF):
		return nil, io.EOF
	case err != nil:
		return nil, &domain.Error{Op: "import", Category: domain.Dependency, Code: "unreadable", Err: err,
			Message: "the file can't be read to its end; try again, or take it from a copy"}
	}
	if r.number++; r.number == 1 {
		text = domain.WithoutMark(text)
	}
	// A file that went through a machine with other line ends is the same file.
	return bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r")), nil
}

// check compares a line with its sum. Unverified, a difference is only listed.
func (r *Reader) check(text []byte, rec *domain.Record) error {
	body, sum, ok := splitSum(text)
	want := sumOf(r.sum, body)
	r.sum = sum
	if ok && sum == want {
		return nil
	}
	c := Change{Line: r.number, What: "its content does not fit its sum"}
	if !ok {
		c.What, r.sum = "it does not end with its sum", want
	}
	if rec != nil {
		c.Position, c.Envelope = rec.Position, rec.Envelope.ID
		if r.last.Position > 0 && r.header.Dense() && rec.Position > r.last.Position+1 {
			c.What = fmt.Sprintf("positions %d to %d are missing before it", r.last.Position+1, rec.Position-1)
		}
	}
	return r.changed(c, rec)
}

// changed refuses a change, or lists it.
func (r *Reader) changed(c Change, rec *domain.Record) error {
	if r.unverified {
		if len(r.changes) < maxChanges {
			r.changes = append(r.changes, c)
		} else {
			r.unlisted++
		}
		return nil
	}
	where := fmt.Sprintf("line %d", c.Line)
	if rec != nil {
		where += fmt.Sprintf(" (position %d, %s %s)", rec.Position, clip(string(rec.Envelope.Type)), rec.Envelope.ID)
	}
	return &domain.Error{Op: "import", Category: domain.Conflict, Code: CodeChanged,
		Message: fmt.Sprintf("the file is not as it was exported: %s: %s. Take it from a copy, or import it as it is with --unverified; nothing was imported", where, c.What)}
}

// fits holds a record to what every log keeps.
func (r *Reader) fits(rec domain.Record) error {
	switch {
	case rec.Position <= r.last.Position:
		return fmt.Errorf("its position is %d, and the line before has %d: positions rise", rec.Position, r.last.Position)
	case rec.RecordedAt < r.last.RecordedAt:
		return fmt.Errorf("it was recorded at %d, before the line above, at %d", rec.RecordedAt, r.last.RecordedAt)
	case rec.Ahead < 0:
		return fmt.Errorf("its clock stands at %d, after the time it was recorded at, %d", rec.Clock(), rec.RecordedAt)
	}
	if err := rec.Envelope.Check(); err != nil {
		if known, ok := errors.AsType[*domain.Error](err); ok {
			return errors.New(known.Message)
		}
		return err
	}
	return nil
}

// finish reads the trailer.
func (r *Reader) finish(text []byte, records uint64) error {
	if err := r.check(text, nil); err != nil {
		return err
	}
	r.ended = true
	if records != r.records || records != r.header.Records {
		c := Change{Line: r.number, What: fmt.Sprintf("there were %d records before it, and %d were exported", r.records, r.header.Records)}
		if err := r.changed(c, nil); err != nil {
			return err
		}
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		return err
	}
	return io.EOF
}

// cutShort is a file without its trailer.
func (r *Reader) cutShort() error {
	c := Change{Line: r.number + 1, What: fmt.Sprintf("the file ends after %d of %d records", r.records, r.header.Records)}
	if r.records >= r.header.Records {
		c.What = "the file lacks its last line, which says that it is whole"
	}
	if err := r.changed(c, nil); err != nil {
		return err
	}
	r.ended = true
	return io.EOF
}

// unreadable is a line that can't be read: that it was changed, if it was, is
// the news.
func (r *Reader) unreadable(text []byte, cause error) error {
	if !r.unverified {
		if err := r.check(text, nil); err != nil {
			return err
		}
	}
	return r.bad(cause)
}

// bad is a line that no log can take.
func (r *Reader) bad(cause error) error {
	return &domain.Error{Op: "import", Category: domain.Conflict, Code: CodeBadLine, Err: cause,
		Message: fmt.Sprintf("line %d can't be imported: %s; mend it, or take the file from a copy; nothing was imported", r.number, clip200(cause.Error()))}
}

func clip200(text string) string {
	if len(text) > 200 {
		return text[:200] + "…"
	}
	return text
}

// strictly reads one JSON value and nothing else, without fields nobody knows.
func strictly(text []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return inWords(err)
	}
	if rest, _ := io.ReadAll(dec.Buffered()); len(bytes.TrimSpace(rest)) > 0 {
		return errLeftOver
	}
	if dec.More() {
		return errLeftOver
	}
	return nil
}

// inWords says in a person's words what encoding/json says of Go's types.
func inWords(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("its field %s can't be read from %s", wrong.Field, wrong.Value)
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

func noExport(why string) error {
	return &domain.Error{Op: "import", Category: domain.Conflict, Code: CodeNoExport,
		Message: "this is no export of Chalie: " + why + "; give a file that chalie export wrote"}
}

// Scan reads a file to its end, which proves that it is as it was written. Errors are those
// of NewReader and Next, and ctx's.
func Scan(ctx context.Context, in io.Reader) (Header, error) {
	r, err := NewReader(in, false)
	if err != nil {
		return Header{}, err
	}
	for ctx.Err() == nil {
		if _, err := r.Next(); errors.Is(err, io.EOF) {
			return r.Header(), nil
		} else if err != nil {
			return r.Header(), err
		}
	}
	return r.Header(), ctx.Err()
}
