package voices

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"chalie/commands/voice"
	"chalie/domain"
)

// PocketSphinx hears English.
type PocketSphinx struct {
	Program
	Model string // the folder of Debian's English model; default: where its package puts it

	mu    sync.Mutex
	of    [sha256.Size]byte // the vocabulary of what was made last
	files map[string][]byte
}

var _ voice.Hearer = (*PocketSphinx)(nil)

var sphinxProgram = known{"pocketsphinx_continuous", "pocketsphinx pocketsphinx-en-us"}

// sphinxModel is where the package pocketsphinx-en-us puts its files.
const sphinxModel = "/usr/share/pocketsphinx/model/en-us"

func (p *PocketSphinx) model() string {
	if p.Model != "" {
		return p.Model
	}
	return sphinxModel
}

func (p *PocketSphinx) dictionary() string { return filepath.Join(p.model(), "cmudict-en-us.dict") }
func (p *PocketSphinx) acoustics() string  { return filepath.Join(p.model(), "en-us") }

// Engine implements voice.Hearer.
func (p *PocketSphinx) Engine() voice.Engine {
	e := voice.Engine{Name: "pocketsphinx"}
	if _, e.Missing = p.find(sphinxProgram); e.Missing != "" {
		return e
	}
	for _, file := range []string{p.dictionary(), p.acoustics()} {
		if _, err := os.Stat(file); err != nil {
			e.Missing = "the English model of pocketsphinx isn't installed: apt-get install pocketsphinx-en-us brings it"
		}
	}
	return e
}

// Hear implements voice.Hearer.
func (p *PocketSphinx) Hear(ctx context.Context, s voice.Sound, words voice.Vocabulary) (voice.Heard, error) {
	path, missing := p.find(sphinxProgram)
	if missing != "" {
		return voice.Heard{}, notThere(missing)
	}
	t := task{known: sphinxProgram, path: path, dir: p.Dir, env: p.Env, args: func(string) []string {
		return []string{"-infile", "in.wav", "-time", "yes", "-hmm", p.acoustics(), "-lm", "lm.arpa", "-dict", "words.dict", "-logfn", os.DevNull}
	}}
	files, err := p.made(words)
	if err != nil {
		return voice.Heard{}, t.failed("has no dictionary that can be read", err)
	}
	sound := s.At(heardRate)
	t.files = map[string][]byte{"in.wav": quietly(sound).WAV()}
	maps.Copy(t.files, files)
	output, err := t.run(ctx, nil)
	if err != nil {
		return voice.Heard{}, err
	}
	heard, spans := heardIn(string(output), sound.Millis())
	heard.Confidence = domain.PPMOf(heard.Confidence.Float() * explained(sound, spans) * bandwidth(s))
	return heard, nil
}

// mostlyWords is the part of what is loud in a recording that words take up at least, where
// nothing but words was said: there are breaths between them.
const mostlyWords = 0.85

// explained says how much of what is loud in a recording was heard as words, 1 for most of it.
// In noise PocketSphinx hears a short word here and there, or one that never ends, and is sure
// of it.
func explained(s voice.Sound, spans []domain.VoiceSpan) float64 {
	const window = 20 // ms
	size := s.Rate * window / 1000 * 2
	var energies []float64
	loudest := 0.0
	for at := 0; at+size <= len(s.PCM); at += size {
		sum := 0.0
		for i := at; i < at+size; i += 2 {
			v := float64(int16(binary.LittleEndian.Uint16(s.PCM[i:])))
			sum += v * v
		}
		energies, loudest = append(energies, sum), max(loudest, sum)
	}
	const quiet = 0.01 // of the loudest energy: 20 dB below
	loud, within := 0.0, 0.0
	for i, e := range energies {
		if e < quiet*loudest || e == 0 {
			continue
		}
		loud++
		at := int64(i * window)
		for _, span := range spans {
			if at >= span.StartMS-window && at < span.EndMS+window {
				within++
				break
			}
		}
	}
	if loud == 0 {
		return 0
	}
	return min(1, within/loud/mostlyWords)
}

// made are the files of the language model of a vocabulary. The last ones are kept: the
// vocabulary changes seldom.
func (p *PocketSphinx) made(words voice.Vocabulary) (map[string][]byte, error) {
	text, err := json.Marshal(words)
	if err != nil {
		return nil, err
	}
	of := sha256.Sum256(text)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.files != nil && p.of == of {
		return p.files, nil
	}
	m := modelOf(corpus(words), common())
	dictionary, err := os.Open(p.dictionary())
	if err != nil {
		return nil, err
	}
	defer func() { _ = dictionary.Close() }()
	spoken, err := lexicon(m.words(), dictionary)
	if err != nil {
		return nil, err
	}
	p.of, p.files = of, map[string][]byte{"lm.arpa": m.arpa(), "words.dict": spoken}
	return p.files, nil
}

// quietly is a sound with a moment of silence around it: PocketSphinx learns from it what the
// room sounds like, and loses the first word otherwise.
func quietly(s voice.Sound) voice.Sound {
	silence := make([]byte, padding*s.Rate/1000*2)
	pcm := make([]byte, 0, len(s.PCM)+2*len(silence))
	return voice.Sound{Rate: s.Rate, PCM: append(append(append(pcm, silence...), s.PCM...), silence...)}
}

// leastPosterior keeps one word from deciding alone.
const leastPosterior = 0.01

// padding is that moment, in ms.
const padding = 300

// heardIn reads what PocketSphinx prints: for each utterance its words on one line, and then a
// line for each word with its beginning and end in seconds and its posterior. It takes the
// silence before the sound off again.
//
// The spans are those of the words, none longer than a word may be.
func heardIn(output string, length int64) (heard voice.Heard, spans []domain.VoiceSpan) {
	heard = voice.Heard{Language: "en"}
	var words []string
	var sure, weight float64
	span := domain.VoiceSpan{StartMS: -1}
	var spanSure, spanWeight float64
	flush := func() {
		if span.StartMS >= 0 && spanWeight > 0 {
			span.Confidence = domain.PPMOf(math.Exp(spanSure / spanWeight))
			heard.Segments = append(heard.Segments, span)
		}
		span, spanSure, spanWeight = domain.VoiceSpan{StartMS: -1}, 0, 0
	}
	for line := range strings.Lines(output) {
		word, from, to, posterior, ok := wordLine(line)
		if !ok {
			flush()
			continue
		}
		if word == "" {
			continue
		}
		long := max(0.01, to-from)
		words = append(words, word)
		spans = append(spans, domain.VoiceSpan{Text: word, StartMS: inside(from, length), EndMS: inside(min(to, from+longestWord(word)), length)})
		lost := math.Log(max(posterior, leastPosterior)) * long
		sure, weight = sure+lost, weight+long
		spanSure, spanWeight = spanSure+lost, spanWeight+long
		span.Text = strings.TrimSpace(span.Text + " " + word)
		if span.StartMS < 0 {
			span.StartMS = inside(from, length)
		}
		span.EndMS = inside(to, length)
	}
	flush()
	heard.Text = strings.Join(words, " ")
	if weight > 0 {
		heard.Confidence = domain.PPMOf(math.Exp(sure / weight))
	}
	return heard, spans
}

// longestWord is how long a word may take that is spoken slowly, in seconds.
func longestWord(word string) float64 {
	const some, perLetter = 0.25, 0.13
	return some + perLetter*float64(len(word))
}

func inside(seconds float64, length int64) int64 {
	return max(0, min(length, int64(seconds*1000)-padding))
}

// wordLine reads a word's line; the word is "" for silence and noise.
func wordLine(line string) (word string, from, to, posterior float64, ok bool) {
	fields := strings.Fields(line)
	if len(fields) != 4 {
		return "", 0, 0, 0, false
	}
	var numbers [3]float64
	for i := range numbers {
		var err error
		if numbers[i], err = strconv.ParseFloat(fields[i+1], 64); err != nil {
			return "", 0, 0, 0, false
		}
	}
	word, _, _ = strings.Cut(fields[0], "(") // of several pronunciations
	if strings.HasPrefix(word, "<") || strings.HasPrefix(word, "[") || strings.HasPrefix(word, "+") {
		word = ""
	}
	return word, numbers[0], numbers[1], max(0, min(1, numbers[2])), true
}

// String is for errors of tests.
func (p *PocketSphinx) String() string { return fmt.Sprintf("PocketSphinx with %s", p.model()) }

// bandwidth is the part of a sound's confidence that its tones allow. PocketSphinx learnt from
// sound that has the tones of s and f. A telephone doesn't carry them, and PocketSphinx is sure of
// other words then: what is heard in such sound is always below the bound of what is asked to be
// repeated.
func bandwidth(s voice.Sound) float64 {
	const full, telephone = 1, 0.4
	const narrow, wide = 9_000, 16_000 // samples a second
	const least = 0.0001               // of the energy is above what a telephone carries, in speech that isn't from one
	if s.Rate < narrow || s.Rate >= wide && above(s, narrow) < least {
		return telephone
	}
	return full
}

// above is the part of a sound's energy in tones that fewer samples a second can't hold.
func above(s voice.Sound, rate int) float64 {
	low := s.At(rate).At(s.Rate)
	all, lost := 0.0, 0.0
	for i := 0; i+1 < len(low.PCM) && i+1 < len(s.PCM); i += 2 {
		v := float64(int16(binary.LittleEndian.Uint16(s.PCM[i:])))
		d := v - float64(int16(binary.LittleEndian.Uint16(low.PCM[i:])))
		all, lost = all+v*v, lost+d*d
	}
	if all == 0 {
		return 0
	}
	return lost / all
}
