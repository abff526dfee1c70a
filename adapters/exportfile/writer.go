package exportfile

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"chalie/domain"
)

// Writer writes one file. It buffers: what was written is out after Close.
type Writer struct {
	out     *bufio.Writer
	format  Format
	sum     string // of the last line
	line    []byte
	records uint64
}

// bufferBytes is how much is collected before it is written.
const bufferBytes = 64 << 10

// NewWriter begins a file with its header. Errors are those of out.
func NewWriter(out io.Writer, format Format, h Header) (*Writer, error) {
	w := &Writer{out: bufio.NewWriterSize(out, bufferBytes), format: format}
	text, err := json.Marshal(h)
	if err != nil {
		return nil, cantWrite(0, err)
	}
	if format == CloudEvents {
		w.line = appendFileEvent(w.line, beginType, fmt.Appendf(nil, `{"chalie_export":%d,%s`, version, text[1:]))
	} else {
		w.line = fmt.Appendf(w.line, `{"chalie_export":%d,%s`, version, text[1:len(text)-1])
	}
	return w, w.end()
}

// appendFileEvent writes a CloudEvent about the file itself.
func appendFileEvent(dst []byte, event string, data []byte) []byte {
	return fmt.Appendf(dst, `{"specversion":"1.0","id":%q,"source":%q,"type":%q,"datacontenttype":"application/json","data":%s`, event, fileSource, event, data)
}

// Write adds one record.
func (w *Writer) Write(rec domain.Record) error {
	var err error
	if w.format == CloudEvents {
		w.line, err = appendEvent(w.line, &rec)
	} else {
		w.line, err = appendRecord(w.line, &rec)
	}
	if err != nil {
		return err
	}
	w.records++
	return w.end()
}

// end gives the line its sum and writes it.
func (w *Writer) end() error {
	w.sum = sumOf(w.sum, w.line)
	w.line = append(append(append(append(w.line, sumPrefix...), w.sum...), sumSuffix...), '\n')
	_, err := w.out.Write(w.line)
	w.line = w.line[:0]
	return err
}

// Close writes the trailer and everything that is still buffered. It doesn't
// close what it writes to.
func (w *Writer) Close() error {
	if w.format == CloudEvents {
		w.line = appendFileEvent(w.line, endType, fmt.Appendf(nil, `{"records":%d}`, w.records))
	} else {
		w.line = fmt.Appendf(w.line, `{"end":true,"records":%d`, w.records)
	}
	if err := w.end(); err != nil {
		return err
	}
	return w.out.Flush()
}

func cantWrite(pos domain.Position, cause error) error {
	return &domain.Error{Op: "export", Category: domain.Dependency, Code: "unwritable", Err: cause,
		Message: fmt.Sprintf("the record at position %d can't be written as JSON; run `chalie verify`", pos)}
}
