package pebblelog

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"chalie/domain"
)

// CodeRecordsLost says that records which were confirmed are not in the log any
// more. Nothing is written to such a log until it is repaired.
const CodeRecordsLost domain.Code = "records_lost"

// Loss are the confirmed records that the log lacks.
type Loss struct {
	Spans   []Span          // of the positions that are missing, ascending
	Through domain.Position // the position the log is known to have reached
	Witness string          // the source of that knowledge
	Behind  uint64          // missing records that can be read behind damage
	Damage  string          // what Pebble says of the files; "" when they look whole
	Mark    string          // what is wrong with the mark that the log had; "" for nothing
	Of      string          // what the log is a copy of, which has all of it; "" for a log of its own
}

// Lost is how many positions are missing.
func (l *Loss) Lost() (n uint64) {
	for _, s := range l.Spans {
		n += uint64(s.Through-s.From) + 1
	}
	return n
}

// String names what is missing.
func (l *Loss) String() string {
	var spans []string
	for i, s := range l.Spans {
		if i == 5 {
			spans = append(spans, fmt.Sprintf("and %d runs more", len(l.Spans)-i))
			break
		}
		spans = append(spans, s.String())
	}
	text := fmt.Sprintf("%d records that it had confirmed can't be read: positions %s", l.Lost(), strings.Join(spans, ", "))
	if l.Lost() == 1 {
		text = "a record that it had confirmed can't be read: position " + spans[0]
	}
	if l.Lost() == 0 {
		text = "a file is damaged, and what it lacks can't be told"
		if l.Damage == "" {
			text = fmt.Sprintf("the mark of its end (the file %s) %s, so nobody knows whether its last records are there", markFile, l.Mark)
		}
	}
	if l.Witness != "" {
		text += fmt.Sprintf(" (%s went through %d)", l.Witness, l.Through)
	}
	if l.Behind > 0 {
		text += fmt.Sprintf("; behind the damage %d of them are as they were written", l.Behind)
	}
	return text
}

// err refuses to open a log that has lost something.
func (l *Loss) err(cfg Config) error {
	switch {
	case cfg.Of != "":
		return copyDamaged(cfg, errors.New(l.String()))
	case l.Of != "":
		return &domain.Error{Op: "open log", Category: domain.Conflict, Code: CodeIsCopy,
			Message: fmt.Sprintf("the log in %s is damaged, and is a copy of the stream %s of a cluster, which has all of it; start it with `chalie serve --log esdb://… --log-stream %s`, which moves it aside and makes it anew", cfg.Dir, l.Of, l.Of)}
	}
	return &domain.Error{Op: "open log", Category: domain.Dependency, Code: CodeRecordsLost,
		Message: fmt.Sprintf("the log in %s is damaged: %s; nothing was changed; run `chalie repair`, which keeps a copy, saves what can be read and names what is lost, or restore the folder from a backup",
			cfg.Dir, l)}
}

// known is the position that the log is known to have reached, and the source of that
// knowledge. A copy isn't synced each time and reads again what it lost, so only its mark,
// which is older than its last sync, says what must be there.
func (l *Log) known(copied bool) (domain.Position, string) {
	if copied {
		pos, err := readMark(l.cfg)
		if err != nil {
			pos = 0
		}
		return pos, "the mark beside it"
	}
	through, witness := l.Tail(), "this process"
	if pos, err := readMark(l.cfg); err == nil && pos > through {
		through, witness = pos, "the mark beside it"
	}
	if l.cfg.Known > through {
		through, witness = l.cfg.Known, "what was folded from it"
	}
	return through, witness
}

// missing compares the folder's files with the position that the log is known to have
// reached. It is nil when no confirmed record is missing.
func (l *Log) missing() (*Loss, error) {
	found, err := look(l.cfg)
	if err != nil {
		return nil, err
	}
	of := cmp.Or(l.cfg.Of, found.of)
	through, witness := l.known(of != "")
	loss := &Loss{Spans: found.holes, Through: through, Of: of}
	if through > found.end {
		loss.Spans = append(loss.Spans, Span{found.end + 1, through})
		loss.Witness = witness
	}
	if found.damage != nil {
		loss.Damage = found.damage.Error()
	}
	if _, err := readMark(l.cfg); err != nil && found.marked && l.Tail() == 0 && of == "" {
		loss.Mark = err.Error() // and this process hasn't seen the end, either
	}
	if len(loss.Spans) == 0 && loss.Damage == "" && loss.Mark == "" {
		return nil, nil
	}
	behind, err := l.readable(loss.Spans)
	if err != nil {
		return nil, err
	}
	loss.Behind = uint64(len(behind))
	return loss, nil
}

// readable are the records at missing positions that stand behind damage in write-ahead
// files, where Pebble stops reading.
func (l *Log) readable(spans []Span) (map[domain.Position][]byte, error) {
	out := map[domain.Position][]byte{}
	var rec domain.Record
	var dec decoder
	err := eachBatch(l.cfg, func(batch []byte) {
		eachRecord(batch, func(pos domain.Position, value []byte) {
			rec = domain.Record{}
			if within(spans, pos) && dec.record(&rec, pos, value) == nil {
				out[pos] = append([]byte(nil), value...)
			}
		})
	})
	return out, err
}

func within(spans []Span, pos domain.Position) bool {
	for _, s := range spans {
		if pos >= s.From && pos <= s.Through {
			return true
		}
	}
	return false
}

// eachBatch calls fn with every whole batch of the write-ahead files, oldest first.
func eachBatch(cfg Config, fn func(batch []byte)) error {
	files, err := walFiles(cfg)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := file.each(fn); err != nil {
			return err
		}
	}
	return nil
}
