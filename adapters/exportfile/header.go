package exportfile

import (
	"encoding/json"
	"fmt"
	"slices"

	"chalie/domain"
)

// headerLine is a header as it is read. Fields nobody knows are passed over, so
// that another version can be told from no export at all.
type headerLine struct {
	Version *int `json:"chalie_export"`
	Header
}

// ParseHeader reads a first line: what the file holds, and in which format.
// Errors: Conflict with CodeNoExport.
func ParseHeader(text []byte) (Header, Format, error) {
	var in headerLine
	var event struct {
		Type   string      `json:"type"`
		Source string      `json:"source"`
		Data   *headerLine `json:"data"`
	}
	format := JSONL
	if err := json.Unmarshal(text, &in); err != nil {
		return Header{}, "", noExport("its first line is not the header of one")
	}
	if in.Version == nil {
		if err := json.Unmarshal(text, &event); err != nil || event.Source != fileSource || event.Type != beginType || event.Data == nil {
			return Header{}, "", noExport("its first line is not the header of one")
		}
		format, in = CloudEvents, *event.Data
	}
	switch {
	case in.Version == nil:
		return Header{}, "", noExport("its first line is not the header of one")
	case *in.Version != version:
		return Header{}, "", &domain.Error{Op: "import", Category: domain.Conflict, Code: CodeNoExport,
			Message: fmt.Sprintf("the file has version %d of the export format, and this version of Chalie knows %d; import it with the version that wrote it, or a newer one", *in.Version, version)}
	case !slices.Contains([]string{Whole, Piece, Period, Trace, Repro}, in.What):
		return Header{}, "", noExport(fmt.Sprintf("it says that it holds %q", clip(in.What)))
	}
	return in.Header, format, nil
}
