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

// readHeader finds out the format, and what the file holds.
func (r *Reader) readHeader(text []byte) error {
	var in headerLine
	var event struct {
		Type   string      `json:"type"`
		Source string      `json:"source"`
		Data   *headerLine `json:"data"`
	}
	r.format = JSONL
	if err := json.Unmarshal(text, &in); err != nil {
		return noExport("its first line is not the header of one")
	}
	if in.Version == nil {
		if err := json.Unmarshal(text, &event); err != nil || event.Source != fileSource || event.Type != beginType || event.Data == nil {
			return noExport("its first line is not the header of one")
		}
		r.format, in = CloudEvents, *event.Data
	}
	switch {
	case in.Version == nil:
		return noExport("its first line is not the header of one")
	case *in.Version != version:
		return &domain.Error{Op: "import", Category: domain.Conflict, Code: CodeNoExport,
			Message: fmt.Sprintf("the file has version %d of the export format, and this version of Chalie knows %d; import it with the version that wrote it, or a newer one", *in.Version, version)}
	case !slices.Contains([]string{Whole, Period, Trace, Repro}, in.What):
		return noExport(fmt.Sprintf("it says that it holds %q", clip(in.What)))
	}
	r.header = in.Header
	return nil
}
