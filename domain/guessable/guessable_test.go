package guessable_test

import (
	"testing"

	"chalie/domain/guessable"
)

func TestIs(t *testing.T) {
	for password, want := range map[string]bool{
		"password": true, "Password": true, " PASSWORD ": true, "12345678": true, "qwertyuiop": true, "password123": true, "iloveyou": true, "Password1!": true, "2024-Iloveyou!!": true, "zzzzzzzz": true,
		"aaaaaaaa": true, "memememe": true, "123123123": true, "abcabcabca": true, "éééééééé": true, "": true, "        ": true,
		"correct horse": false, "a third one": false, "longenough1": false, "battery staple": false, "dVq3-lorry": false, "abcdabcd efgh": false,
	} {
		if got := guessable.Is(password); got != want {
			t.Errorf("%q: %v", password, got)
		}
	}
}
