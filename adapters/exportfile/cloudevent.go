package exportfile

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"chalie/domain"
)

// What a CloudEvent says of itself where the event is not a record.
const (
	fileSource  = "/chalie/export"
	beginType   = "chalie.export.begun"
	endType     = "chalie.export.ended"
	emitterPath = "/chalie/emitters/" // before a record's source, which is a name and no address
)

// appendEvent writes a record as a line of CloudEvents, without its end. What
// CloudEvents has no attribute for are extension attributes. Whole numbers that
// may not fit in 32 bits are strings there, and lists are JSON in a string.
func appendEvent(dst []byte, rec *domain.Record) ([]byte, error) {
	e := &rec.Envelope
	dst = appendString(append(dst, `{"specversion":"1.0","id":`...), e.ID.String())
	dst = appendString(append(dst, `,"source":`...), emitterPath+url.PathEscape(string(e.Source)))
	dst = appendString(append(dst, `,"type":`...), visible(e.Type))
	if at := e.Timestamp.Time(); at.Year() >= 0 && at.Year() <= 9999 {
		dst = appendString(append(dst, `,"time":`...), at.Format(time.RFC3339Nano))
	}
	dst = appendNumber(dst, "position", int64(rec.Position))
	dst = appendString(append(dst, `,"topic":`...), visible(rec.Topic))
	dst = appendNumber(dst, "recordedat", int64(rec.RecordedAt))
	if rec.Ahead != 0 {
		dst = appendNumber(dst, "clock", int64(rec.Clock()))
	}
	dst = appendNumber(dst, "emittedat", int64(e.Timestamp))
	dst = appendString(append(dst, `,"traceid":`...), e.Trace.String())
	if !e.Parent.IsZero() {
		dst = appendString(append(dst, `,"parentid":`...), e.Parent.String())
	}
	dst = appendString(append(dst, `,"kind":`...), e.Kind)
	dst = appendString(append(dst, `,"principal":`...), visible(e.Principal))
	dst = strconv.AppendUint(append(dst, `,"typeversion":`...), uint64(e.Version), 10)
	if len(e.Keys) > 0 {
		dst = appendString(append(dst, `,"keys":`...), visible(string(appendStrings(nil, e.Keys))))
	}
	if len(e.Subjects) > 0 {
		dst = appendString(append(dst, `,"subjects":`...), visible(string(appendStrings(nil, e.Subjects))))
	}
	if len(e.Errors) > 0 {
		faults, err := json.Marshal(e.Errors)
		if err != nil {
			return nil, cantWrite(rec.Position, err)
		}
		dst = appendString(append(dst, `,"errors":`...), visible(string(faults)))
	}
	return appendData(dst, e.Payload), nil
}

func appendNumber(dst []byte, name string, n int64) []byte {
	dst = append(append(append(dst, `,"`...), name...), `":"`...)
	return append(strconv.AppendInt(dst, n, 10), '"')
}

func appendData(dst []byte, p domain.Payload) []byte {
	if p.Encoding != domain.EncodingJSON {
		dst = appendString(append(dst, `,"encoding":`...), encodings[p.Encoding])
	}
	if p.KeyID != "" {
		dst = appendString(append(dst, `,"keyid":`...), visible(p.KeyID))
	}
	if len(p.Nonce) > 0 {
		dst = appendBase64(append(dst, `,"nonce":`...), p.Nonce)
	}
	switch {
	case fitsLine(p):
		return append(append(dst, `,"datacontenttype":"application/json","data":`...), p.Bytes...)
	case p.Encoding == domain.EncodingJSON:
		return appendBase64(append(dst, `,"datacontenttype":"application/json","data_base64":`...), p.Bytes)
	case len(p.Bytes) > 0:
		return appendBase64(append(dst, `,"datacontenttype":"application/octet-stream","data_base64":`...), p.Bytes)
	}
	return dst
}

// visible writes a text as CloudEvents takes one: control characters, which it
// forbids, stand as percent and two digits for each byte, and so does percent.
func visible[T ~string](text T) string {
	if strings.IndexFunc(string(text), hidden) < 0 {
		return string(text)
	}
	var out strings.Builder
	for _, r := range string(text) {
		if !hidden(r) {
			out.WriteRune(r)
			continue
		}
		for _, b := range utf8.AppendRune(nil, r) {
			const digits = "0123456789ABCDEF"
			out.WriteByte('%')
			out.WriteByte(digits[b>>4])
			out.WriteByte(digits[b&15])
		}
	}
	return out.String()
}

// hidden are the characters that an attribute can't hold, and percent.
func hidden(r rune) bool {
	return r == '%' || unicode.IsControl(r) || r >= 0xFDD0 && r <= 0xFDEF || r&0xFFFE == 0xFFFE
}

// eventLine is a line of CloudEvents as it is read.
type eventLine struct {
	SpecVersion string          `json:"specversion"`
	ID          string          `json:"id"`
	Source      string          `json:"source"`
	Type        string          `json:"type"`
	Time        string          `json:"time"` // for others: emittedat is exact
	Position    domain.Position `json:"position,string"`
	Topic       string          `json:"topic"`
	RecordedAt  domain.Millis   `json:"recordedat,string"`
	Clock       *domain.Millis  `json:"clock,string"` // none when it is recordedat
	EmittedAt   domain.Millis   `json:"emittedat,string"`
	Trace       domain.ID       `json:"traceid"`
	Parent      domain.ID       `json:"parentid"`
	Kind        domain.Kind     `json:"kind"`
	Principal   string          `json:"principal"`
	Version     uint16          `json:"typeversion"`
	Keys        string          `json:"keys"`
	Subjects    string          `json:"subjects"`
	Errors      string          `json:"errors"`
	Encoding    string          `json:"encoding"`
	KeyID       string          `json:"keyid"`
	Nonce       []byte          `json:"nonce"`
	ContentType string          `json:"datacontenttype"`
	Data        json.RawMessage `json:"data"`
	Base64      []byte          `json:"data_base64"`
	Sum         string          `json:"sum"`
}

// readEvent reads what appendEvent and the trailer write.
func readEvent(text []byte) (line, error) {
	var in eventLine
	if err := strictly(text, &in); err != nil {
		return line{}, err
	}
	if in.Source == fileSource && in.Type == endType {
		var end struct {
			Records uint64 `json:"records"`
		}
		if err := strictly(in.Data, &end); err != nil {
			return line{}, err
		}
		return line{end: true, records: end.Records}, nil
	}
	source, ok := strings.CutPrefix(in.Source, emitterPath)
	if !ok || in.SpecVersion != "1.0" {
		return line{}, errNoRecord
	}
	payload, err := readPayload(in.Encoding, "", in.Nonce, in.Data, in.Base64)
	if err != nil {
		return line{}, err
	}
	rec := domain.Record{Position: in.Position, RecordedAt: in.RecordedAt, Envelope: domain.Envelope{
		Trace: domain.TraceID{ID: in.Trace}, Parent: in.Parent, Timestamp: in.EmittedAt, Kind: in.Kind,
		Version: in.Version, Payload: payload,
	}}
	if in.Clock != nil {
		rec.Ahead = in.RecordedAt - *in.Clock
	}
	e := &rec.Envelope
	if err := e.ID.UnmarshalText([]byte(in.ID)); err != nil {
		return line{}, err
	}
	for _, a := range []struct {
		text string
		into *string
	}{
		{source, (*string)(&e.Source)}, {in.Principal, (*string)(&e.Principal)}, {in.Type, (*string)(&e.Type)},
		{in.Topic, (*string)(&rec.Topic)}, {in.KeyID, &e.Payload.KeyID},
	} {
		if *a.into, err = url.PathUnescape(a.text); err != nil {
			return line{}, err
		}
	}
	if e.Keys, err = readList[domain.Key](in.Keys); err != nil {
		return line{}, err
	}
	if e.Subjects, err = readList[domain.Subject](in.Subjects); err != nil {
		return line{}, err
	}
	e.Errors, err = readList[domain.Fault](in.Errors)
	return line{record: rec}, err
}

// readList reads a list that stands as JSON in an attribute.
func readList[T any](attribute string) ([]T, error) {
	if attribute == "" {
		return nil, nil
	}
	text, err := url.PathUnescape(attribute)
	if err != nil {
		return nil, err
	}
	var list []T
	if err := strictly([]byte(text), &list); err != nil {
		return nil, err
	}
	return none(list), nil
}
