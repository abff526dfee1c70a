package voice

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"chalie/domain"
)

// Sound is one channel of samples: 16 bits each, signed, little-endian.
type Sound struct {
	Rate int // samples a second
	PCM  []byte
}

// sampleBytes is the size of a sample.
const sampleBytes = 2

// Millis is how long it is.
func (s Sound) Millis() int64 {
	if s.Rate == 0 {
		return 0
	}
	return int64(len(s.PCM)/sampleBytes) * 1000 / int64(s.Rate)
}

// wavHeader is the size of the header of a WAV as it is written here.
const wavHeader = 44

// streamed stands for a size in a header that isn't known yet.
const streamed = math.MaxUint32

// WAV is the sound as a file whose header is true.
func (s Sound) WAV() []byte {
	return append(header(s.Rate, uint32(len(s.PCM)+wavHeader-8), uint32(len(s.PCM))), s.PCM...)
}

// StreamHeader is the header of a WAV whose samples follow until the stream ends.
func StreamHeader(rate int) []byte { return header(rate, streamed, streamed) }

func header(rate int, whole, data uint32) []byte {
	out := make([]byte, 0, wavHeader)
	out = append(out, "RIFF"...)
	out = binary.LittleEndian.AppendUint32(out, whole)
	out = append(out, "WAVEfmt "...)
	out = binary.LittleEndian.AppendUint32(out, 16)
	out = binary.LittleEndian.AppendUint16(out, formatPCM)
	out = binary.LittleEndian.AppendUint16(out, 1)
	out = binary.LittleEndian.AppendUint32(out, uint32(rate))
	out = binary.LittleEndian.AppendUint32(out, uint32(rate*sampleBytes))
	out = binary.LittleEndian.AppendUint16(out, sampleBytes)
	out = binary.LittleEndian.AppendUint16(out, 8*sampleBytes)
	out = append(out, "data"...)
	return binary.LittleEndian.AppendUint32(out, data)
}

// Formats of samples in a WAV.
const (
	formatPCM        = 1
	formatFloat      = 3
	formatExtensible = 0xfffe
)

// waveFormat is the chunk "fmt " of a WAV.
type waveFormat struct {
	kind, channels, bits, align int
	rate, bytesPerSecond        int
}

// ReadWAV reads a recording: PCM of 8 to 32 bits or floats, any number of channels up to 8,
// which are mixed. What the header says has to be true of the content, so that no engine ever
// meets one that lies. It is no longer than the contract allows, and is judged before anything
// is made of it. Errors: validation, CodeTooLarge included.
func ReadWAV(content []byte) (Sound, error) {
	f, data, err := judgedWAV(content)
	if err != nil {
		return Sound{}, err
	}
	return f.mixed(data)
}

// judgedWAV is ReadWAV without making anything: a recording that waits for an engine takes no
// more memory than its bytes.
func judgedWAV(content []byte) (waveFormat, []byte, error) {
	f, data, err := wavParts(content, false)
	if err == nil && len(data) < f.align {
		err = badWAV("it has no samples")
	}
	if err == nil {
		err = domain.CheckAudioLength(int64(len(data)) * 1000 / int64(f.bytesPerSecond))
	}
	return f, data, err
}

// ReadStreamed reads a WAV that an engine wrote to a pipe, which can't be gone back on: the
// sizes in its header aren't known.
func ReadStreamed(content []byte) (Sound, error) {
	f, data, err := wavParts(content, true)
	if err != nil {
		return Sound{}, err
	}
	return f.mixed(data)
}

// wavParts are the format and the samples.
func wavParts(content []byte, anySize bool) (f waveFormat, data []byte, err error) {
	if !isWAV(content) {
		return f, nil, badWAV("it isn't one: it doesn't begin with RIFF and WAVE")
	}
	if size := binary.LittleEndian.Uint32(content[4:]); !anySize && !unknownSize(size) && !headerAlone(size) &&
		int64(size)+8 != int64(len(content)) && int64(size)+8 != int64(len(content))-1 {
		return f, nil, lies(fmt.Sprintf("the file has %d bytes by its header, and %d came", int64(size)+8, len(content)))
	}
	for rest := content[12:]; len(rest) >= 8; {
		name, said := string(rest[:4]), binary.LittleEndian.Uint32(rest[4:])
		size := int64(said)
		rest = rest[8:]
		switch {
		case name == "data" && f.rate == 0:
			return f, nil, badWAV("its samples come before what says how to read them")
		case name == "data" && (unknownSize(said) || anySize):
			return f, rest, nil
		case size > int64(len(rest)):
			return f, nil, lies(fmt.Sprintf("the part %q has %d bytes by its header, and %d came", name, size, len(rest)))
		case name == "data":
			return f, rest[:size], nil
		case name == "fmt ":
			if f, err = readFormat(rest[:size]); err != nil {
				return f, nil, err
			}
		}
		rest = rest[min(int64(len(rest)), size+size%2):]
	}
	return f, nil, badWAV("it has no samples")
}

// isWAV reports whether content begins as a WAV does, or as one for more than 4 GiB.
func isWAV(content []byte) bool {
	if len(content) < 12 || string(content[8:12]) != "WAVE" {
		return false
	}
	switch string(content[:4]) {
	case "RIFF", "RF64", "BW64":
		return true
	}
	return false
}

// unknownSize reports whether a size in a header says that nobody knew it, as in what was
// written to a pipe or never closed: programs write 0, or one that no recording has, such as
// 0xFFFFFFFF, 0x7FFFFFFF and 0x7FFFF000. What came is all there is.
func unknownSize(size uint32) bool {
	const impossible = 1 << 28
	return size == 0 || size >= impossible
}

// headerAlone reports whether a size is that of a header without samples: it was written before
// them, and not again.
func headerAlone(size uint32) bool {
	const least, most = wavHeader - 8, 72
	return size >= least && size <= most
}

func readFormat(chunk []byte) (f waveFormat, err error) {
	if len(chunk) < 16 {
		return f, badWAV("its format is cut off")
	}
	at := func(i int) int { return int(binary.LittleEndian.Uint16(chunk[i:])) }
	wide := func(i int) int { return int(binary.LittleEndian.Uint32(chunk[i:])) }
	f = waveFormat{kind: at(0), channels: at(2), rate: wide(4), bytesPerSecond: wide(8), align: at(12), bits: at(14)}
	if f.kind == formatExtensible {
		if len(chunk) < 26 {
			return f, badWAV("its format is cut off")
		}
		f.kind = at(24) // the first bytes of the subformat's GUID
	}
	known := f.kind == formatPCM && (f.bits == 8 || f.bits == 16 || f.bits == 24 || f.bits == 32) || f.kind == formatFloat && f.bits == 32
	const leastRate, mostRate, mostChannels = 4_000, 192_000, 8
	switch {
	case !known:
		return f, badWAV(fmt.Sprintf("its samples are of format %d with %d bits: send PCM of 8 to 32 bits, or floats of 32", f.kind, f.bits))
	case f.channels < 1 || f.channels > mostChannels:
		return f, badWAV(fmt.Sprintf("it has %d channels: send 1 to %d", f.channels, mostChannels))
	case f.rate < leastRate || f.rate > mostRate:
		return f, badWAV(fmt.Sprintf("it has %d samples a second: send %d to %d", f.rate, leastRate, mostRate))
	case f.align != f.channels*f.bits/8:
		return f, lies(fmt.Sprintf("%d channels of %d bits take %d bytes, and its header says %d", f.channels, f.bits, f.channels*f.bits/8, f.align))
	case f.bytesPerSecond != f.rate*f.align:
		return f, lies(fmt.Sprintf("%d samples of %d bytes a second are %d bytes, and its header says %d", f.rate, f.align, f.rate*f.align, f.bytesPerSecond))
	}
	return f, nil
}

// mixed makes one channel of 16 bits of all.
func (f waveFormat) mixed(data []byte) (Sound, error) {
	frames := len(data) / f.align
	if frames == 0 {
		return Sound{}, badWAV("it has no samples")
	}
	out := Sound{Rate: f.rate, PCM: make([]byte, 0, frames*sampleBytes)}
	if f.channels == 1 && f.bits == 16 {
		out.PCM = append(out.PCM, data[:frames*f.align]...)
		return out, nil
	}
	width := f.bits / 8
	for i := range frames {
		sum := 0.0
		for c := range f.channels {
			sum += f.sample(data[i*f.align+c*width:])
		}
		out.PCM = binary.LittleEndian.AppendUint16(out.PCM, uint16(clipped(sum/float64(f.channels))))
	}
	return out, nil
}

// sample is one between -1 and 1.
func (f waveFormat) sample(b []byte) float64 {
	switch {
	case f.kind == formatFloat:
		v := float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
		if math.IsNaN(v) {
			return 0
		}
		return v
	case f.bits == 8:
		return (float64(b[0]) - 128) / 128 // the one that has no sign
	case f.bits == 16:
		return float64(int16(binary.LittleEndian.Uint16(b))) / (1 << 15)
	case f.bits == 24:
		return float64(int32(uint32(b[0])<<8|uint32(b[1])<<16|uint32(b[2])<<24)) / (1 << 31)
	}
	return float64(int32(binary.LittleEndian.Uint32(b))) / (1 << 31)
}

func clipped(v float64) int16 {
	return int16(math.Round(max(-1, min(1, v)) * math.MaxInt16))
}

// At is the sound with another number of samples a second. Tones that the new rate can't hold
// are taken out first, as they would come back as others.
func (s Sound) At(rate int) Sound {
	if s.Rate == rate || s.Rate == 0 {
		return s
	}
	in := make([]float64, len(s.PCM)/sampleBytes)
	for i := range in {
		in[i] = float64(int16(binary.LittleEndian.Uint16(s.PCM[i*sampleBytes:])))
	}
	const taps = 12 // on each side, of the slower rate
	step := float64(s.Rate) / float64(rate)
	slower := max(1, step)
	n := int(float64(len(in)) / step)
	out := Sound{Rate: rate, PCM: make([]byte, 0, n*sampleBytes)}
	for i := range n {
		centre := float64(i) * step
		from, to := max(0, int(math.Ceil(centre-taps*slower))), min(len(in)-1, int(centre+taps*slower))
		sum, weights := 0.0, 0.0
		for k := from; k <= to; k++ {
			d := (float64(k) - centre) / slower
			w := sinc(d) * (0.5 + 0.5*math.Cos(math.Pi*d/taps))
			sum += w * in[k]
			weights += w
		}
		v := 0.0
		if weights != 0 {
			v = sum / weights
		}
		out.PCM = binary.LittleEndian.AppendUint16(out.PCM, uint16(int16(math.Round(max(math.MinInt16, min(math.MaxInt16, v))))))
	}
	return out
}

func sinc(x float64) float64 {
	if math.Abs(x) < 1e-9 {
		return 1
	}
	return math.Sin(math.Pi*x) / (math.Pi * x)
}

// Kinds of recordings that are taken in.
const (
	mediaWAV  = "audio/wav"
	mediaWebM = "audio/webm"
)

// mediaOf tells what a recording is from its content alone: a sender may say anything.
//
// Reading formats is more technology than a command should know. It stands here because it
// decides whether a recording is taken in at all.
func mediaOf(content []byte) (string, error) {
	const begins = 256 // of a WebM, in which it says that it is one; some fill it up
	switch {
	case len(content) == 0:
		return "", domain.Invalid("hear", "audio", "the audio is empty: send a recording")
	case isWAV(content):
		return mediaWAV, nil
	case bytes.HasPrefix(content, []byte("\x1a\x45\xdf\xa3")) && bytes.Contains(content[:min(begins, len(content))], []byte("webm")):
		return mediaWebM, nil
	}
	return "", &domain.Error{Op: "hear", Category: domain.Validation, Code: CodeUnsupportedMedia, Field: "audio",
		Message: "this is no WAV or WebM audio, whatever it was sent as: record it as one of these"}
}

func badWAV(why string) error {
	return domain.Invalid("hear", "audio", "the WAV can't be read, "+why)
}

func lies(why string) error {
	return &domain.Error{Op: "hear", Category: domain.Validation, Code: "invalid", Field: "audio",
		Message: "the WAV's header is not true of its content: " + why + "; it was cut off or is broken, record it again"}
}
