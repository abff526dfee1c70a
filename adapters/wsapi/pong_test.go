package wsapi

import "testing"

func TestIsPong(t *testing.T) {
	for text, want := range map[string]bool{
		`{"type":"pong"}`: true, `{"type": "pong"}`: true, "\n{ \"type\" :\t\"pong\" }\r\n": true,
		``: false, `{}`: false, `{"type":"pong"`: false, `{"type":"pong"}}`: false, `{"type":"ping"}`: false,
		`{"type":"pong","seq":1}`: false, `pong`: false, `{"type":"po ng"}`: false, `{"type":" pong"}`: false,
	} {
		if isPong([]byte(text)) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
}
