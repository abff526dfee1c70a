// Command understand measures how well Chalie understands people, on sentences that people
// wrote. The sentences are files of their own and no part of the project.
//
//	go run ./cmd/understand -times times-en.tsv -requests requests-en.tsv
//	go run ./cmd/understand -own -tools
//	go run ./cmd/understand -dialogues dialogues.jsonl
//
// Times are read, and compared with what they mean to people. Requests are said to a Chalie
// that holds a fixed set of plans, lists and appointments, and judged by what came of them;
// what is expected is in testdata, by line number and hash. It prints what wasn't right, and
// how much was, and ends with 1 when that is less than the project holds itself to.
//
// Dialogues are said in turn, each to a Chalie of its own with the dialogue's clock and zone: the
// code that decides, as the program wires it, on a log in memory. About a minute passes with each
// turn, and what falls due meanwhile is told. Their form is in testdata/dialogues/README.md, and
// each turn has a check of what has to be so after it. A turn is
//
//   - right when its check holds whole;
//   - otherwise asked when Chalie asked something and changed nothing: with a question mark, with
//     buttons, or for approval;
//   - left when it said that it isn't sure, or that what it took the turn for can't be found or
//     done, or when it said and did nothing at all, or passed on what a program said, and changed
//     nothing;
//   - wrong in all other cases: it did or told something else than was meant.
//
// A turn without a check isn't counted. Turns that aren't right are printed under the id of their
// dialogue with what was said, answered, done, wanted and missed; -v prints all turns. Behind them
// stands what holds by topic and by kind, and the last line is right, asked, left and wrong in
// per cent of turns. The same file gives the same output to the byte, and nothing else is measured.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	times := flag.String("times", "", "the file of expressions of time: kind, from, to, grain, holiday, phrase, between tabs")
	requests := flag.String("requests", "", "the file of requests: intent, sentence, annotation, between tabs")
	own := flag.Bool("own", false, "measure the project's own sentences")
	tools := flag.Bool("tools", false, "measure the project's own requests for tools of programs")
	toolFile := flag.String("tool-requests", "", "a file of requests for the project's own tools, or those of -toolboxes: toolbox, sentence, expectation, between tabs")
	toolDir := flag.String("toolboxes", "", "a directory of toolboxes that is offered for -tool-requests instead of the project's own")
	dialogues := flag.String("dialogues", "", "a file of dialogues, a JSON object a line; more files may follow as arguments. Each turn is right (its check holds whole), asked (it asked and changed nothing), left (it wasn't sure, or did nothing) or wrong (it did or told something else). Nothing else is measured")
	say := flag.Bool("say", false, "say each line of the standard input to the fixed Chalie, and print what it answers")
	talk := flag.Bool("talk", false, "say the lines of the standard input one after the other, from the beginning again behind every blank one")
	verbose := flag.Bool("v", false, "print what was asked or left, too; of dialogues every turn")
	flag.Parse()
	ctx := context.Background()
	var err error
	switch {
	case *dialogues != "":
		err = measureDialogues(ctx, append([]string{*dialogues}, flag.Args()...), *verbose, os.Stdout)
	case *say:
		err = sayLines(ctx, os.Stdin, os.Stdout)
	case *talk:
		err = sayTalks(ctx, os.Stdin, os.Stdout)
	default:
		if *times != "" || *requests != "" || *own || !*tools && *toolFile == "" {
			err = run(ctx, *times, *requests, *own, *verbose, os.Stdout)
		}
		err = errors.Join(err, measureTools(ctx, *tools, *toolDir, *toolFile, os.Stdout))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "understand:", err)
		os.Exit(1)
	}
}

// measureTools measures the project's own requests for tools, those of a file, or both. Those of
// the file are for the toolboxes in dir; "" for the project's own.
func measureTools(ctx context.Context, own bool, dir, name string, out io.Writer) error {
	var problem error
	if own {
		for _, its := range ownToolboxes {
			boxes, text, err := ownToolRequests(its)
			if err != nil {
				return err
			}
			problem = errors.Join(problem, measureToolFile(ctx, boxes, text, out))
		}
	}
	if name == "" {
		return problem
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return errors.Join(problem, err)
	}
	boxes, _, err := ownToolRequests(ownToolboxes[0])
	if err != nil {
		return errors.Join(problem, err)
	}
	if dir != "" {
		boxes = os.DirFS(dir)
	}
	return errors.Join(problem, measureToolFile(ctx, boxes, string(text), out))
}

func run(ctx context.Context, times, requests string, own, verbose bool, out io.Writer) error {
	if times == "" && requests == "" && !own {
		return errors.New("name a file of expressions of time with -times, or of requests with -requests")
	}
	var problem error
	if times != "" {
		all, err := readFile(times, readPhrases)
		if err != nil {
			return err
		}
		problem = measureTimes(all, out)
	}
	if requests != "" {
		all, err := readFile(requests, readRequests)
		if err != nil {
			return err
		}
		problem = errors.Join(problem, measureRequests(ctx, all, verbose, out))
	}
	if own {
		all, err := readOwn()
		if err != nil {
			return err
		}
		problem = errors.Join(problem, measureRequests(ctx, all, verbose, out))
	}
	return problem
}

func readFile[T any](name string, read func(io.Reader) ([]T, error)) ([]T, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	all, err := read(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return all, nil
}
