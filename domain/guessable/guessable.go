// Package guessable tells passwords that whoever guesses tries first.
//
// passwords.txt.gz has the 10,000 most common ones of at least eight characters, in small
// letters and sorted, one a line. They are the first that are so long of the list passwords
// in the npm package @zxcvbn-ts/language-common, version 4.1.3, which is made of passwords
// that became known and is under the MIT licence in passwords.LICENSE. To renew them, take
// those of a newer version.
//
// Everything here is a pure function.
package guessable

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"strings"
	"unicode"
)

//go:embed passwords.txt.gz
var common []byte

// mostUnit is the characters of what is repeated in a password that says nothing more.
const mostUnit = 3

// Is reports whether a password is common, whatever its case and whatever digits and signs
// stand around it, or one to three characters over and over. It reads the list each time:
// passwords are seldom set.
func Is(password string) bool {
	password = strings.ToLower(strings.TrimSpace(password))
	if password == "" || repeats(password) {
		return true
	}
	bare := strings.TrimFunc(password, func(r rune) bool { return !unicode.IsLetter(r) })
	list, err := gzip.NewReader(bytes.NewReader(common))
	if err != nil {
		return false // a test reads it
	}
	for lines := bufio.NewScanner(list); lines.Scan(); {
		if text := lines.Text(); text == password || text == bare {
			return true
		}
	}
	return false
}

// repeats reports whether a text is a few characters over and over.
func repeats(text string) bool {
	runes := []rune(text)
	for unit := 1; unit <= mostUnit && unit < len(runes); unit++ {
		same := true
		for i := unit; i < len(runes) && same; i++ {
			same = runes[i] == runes[i-unit]
		}
		if same {
			return true
		}
	}
	return false
}
