package voices

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"chalie/commands/voice"
	"chalie/domain"
)

// FFmpeg reads WebM with Opus, as browsers record it.
type FFmpeg struct{ Program }

var _ voice.Decoder = FFmpeg{}

var ffmpegProgram = known{"ffmpeg", "ffmpeg"}

// heardRate is the number of samples a second that hearing needs.
const heardRate = 16_000

// Engine implements voice.Decoder.
func (f FFmpeg) Engine() voice.Engine {
	_, missing := f.find(ffmpegProgram)
	return voice.Engine{Name: ffmpegProgram.name, Missing: missing}
}

// Decode implements voice.Decoder. ffmpeg may read one format from its standard input and
// nothing else: it knows formats that name other files and addresses.
func (f FFmpeg) Decode(ctx context.Context, content []byte, most time.Duration) (voice.Sound, error) {
	path, missing := f.find(ffmpegProgram)
	if missing != "" {
		return voice.Sound{}, notThere(missing)
	}
	t := task{known: ffmpegProgram, path: path, dir: f.Dir, env: f.Env, input: content, args: func(string) []string {
		return []string{"-hide_banner", "-nostdin", "-loglevel", "error", "-protocol_whitelist", "pipe", "-threads", "1", "-f", "matroska", "-i", "pipe:0",
			"-map", "0:a:0", "-vn", "-sn", "-dn", "-t", fmt.Sprintf("%.3f", most.Seconds()), "-ac", "1", "-ar", "16000", "-f", "s16le", "pipe:1"}
	}}
	pcm, err := t.run(ctx, nil)
	// One that ended by itself doesn't like what it read; one that was killed is another matter.
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.Exited() {
		return voice.Sound{}, &domain.Error{Op: "read WebM", Category: domain.Validation, Code: "invalid", Field: "audio", Err: err,
			Message: "the WebM can't be read: it is cut off or broken, or there is no sound in it; record it again"}
	}
	if err != nil {
		return voice.Sound{}, err
	}
	return voice.Sound{Rate: heardRate, PCM: pcm[:len(pcm)/2*2]}, nil
}
