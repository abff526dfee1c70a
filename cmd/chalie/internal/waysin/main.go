// Command waysin counts the steps that each reader of foreign text takes for inputs that grow.
//
// A step is a block of statements that was run, as the compiler counts them for coverage: it
// is the same on every machine and in every run, and sees work that allocates nothing. What
// libraries do isn't counted so; of that the bytes are told that it allocated. It has to be
// built with
//
//	go build -cover -covermode=atomic -coverpkg=...
//
// It prints a line for each way in, kind of text and size: way, kind, bytes, steps, bytes
// allocated. Two numbers after its name are which part of how many of the ways it goes: what is
// counted is a process's, and several of them are done sooner. Its test builds it, and judges how
// they grow. Benchmarks of the same ways take the time.
package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/coverage"
	"strings"
)

// The sizes at which steps are compared, in bytes. The largest is that of a message.
const (
	less = 4 << 10
	more = 64 << 10
)

func main() {
	part, parts := 0, 1
	if len(os.Args) > 1 {
		if _, err := fmt.Sscan(strings.Join(os.Args[1:], " "), &part, &parts); err != nil || parts < 1 {
			fmt.Fprintln(os.Stderr, "waysin: which part of how many, such as: waysin 0 2")
			os.Exit(2)
		}
	}
	if err := walk(os.Stdout, part, parts); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// walk goes a part of the ways in with every kind of text.
func walk(out io.Writer, part, parts int) error {
	for n, way := range ways() {
		if n%parts != part {
			continue
		}
		way.in("once, for what is made at the first call") // such as tables and patterns
		for _, kind := range kinds() {
			for _, size := range []int{less, more} {
				text := kind.of(size)
				if err := coverage.ClearCounters(); err != nil {
					return err
				}
				before := allocated()
				way.in(text)
				bytes := allocated() - before
				steps, err := counted()
				if err != nil {
					return err
				}
				if _, err := fmt.Fprintf(out, "%s\t%s\t%d\t%d\t%d\n", way.name, kind.name, size, steps, bytes); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// counted is the sum of all counters since they were cleared. The format is that of
// GOCOVERDIR: a header of 32 bytes, one of a segment that has the lengths of what else is
// before the counters, and for each function how many it has, two numbers that name it, and
// the counters.
func counted() (steps uint64, err error) {
	var b bytes.Buffer
	if err := coverage.WriteCounters(&b); err != nil {
		return 0, err
	}
	const header, segment = 32, 16
	data := b.Bytes()
	if len(data) < header+segment {
		return 0, errors.New("the counters are cut off")
	}
	functions := binary.LittleEndian.Uint64(data[header:])
	before := int(binary.LittleEndian.Uint32(data[header+8:])) + int(binary.LittleEndian.Uint32(data[header+12:]))
	r := bytes.NewReader(data[header+segment+before:])
	var failed error
	next := func() uint64 {
		v, err := binary.ReadUvarint(r)
		failed = errors.Join(failed, err)
		return v
	}
	for range functions {
		counters := next()
		next()
		next()
		for range counters {
			steps += next()
		}
		if failed != nil {
			return 0, failed
		}
	}
	return steps, nil
}

// kind is a sort of text: a piece that is repeated.
type kind struct{ name, piece string }

func (k kind) of(size int) string { return strings.Repeat(k.piece, size/len(k.piece)) }

// kinds are what sentences are made of, and what readers look for.
func kinds() (out []kind) {
	for _, k := range [][2]string{
		{"words", "harbour boats lie still "}, {"one word", "and "}, {"letters", "x"}, {"spaces", " "}, {"lines", "\n"}, {"unseen", "\u200b"},
		{"digits", "7"}, {"numbers", "12 345 6.7 "}, {"cards", "4111 1111 1111 1111 "}, {"base64", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo"},
		{"days", "on monday and friday "}, {"spans", "from 8 to "}, {"names", "Anna Smith Luigi's "}, {"requests", "remind me to call Bob tomorrow at 8 and "},
		{"lists", "milk, eggs, "}, {"secrets", "password is hunter2 "}, {"German", "morgen um halb neun und "}, {"Russian", "завтра в 8 и "},
		{"marks", ".,;:!? "}, {"quotes", "\"a\" 'b' “c” "}, {"quote", "\""}, {"open quotes", "„a "}, {"brackets", "![a]("}, {"emphasis", "*_`"}, {"items", "- a|\n"}, {"backslashes", "\\"},
		{"URLs", "https://a.example/b?c=d "}, {"HTML", "<b><a href=x>"}, {"comments", "<!--"}, {"entities", "&amp;%41"}, {"styles", "a{b:c}"}, {"objects", `{"a":`}, {"arrays", "["}, {"paths", "../a/"},
	} {
		out = append(out, kind{k[0], k[1]})
	}
	return out
}
