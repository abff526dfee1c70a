package domain_test

import (
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"chalie/domain"
)

// FuzzVaultPath takes any text for a path of the vault. What passes stays within it, however
// it is joined to a folder, and is one path alone.
func FuzzVaultPath(f *testing.F) {
	for _, p := range []string{"notes/garden.md", "../a", "a/../../b", "/etc/passwd", `a\..\b`, "a//b", "a/./b", " a", "a\u202eb", "a\x00b", strings.Repeat("a/", 40), "é/日本.md", "%2e%2e/a", "~/a"} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, given string) {
		err := domain.CheckVaultPath("file_path", given)
		if err != nil {
			if e := domain.CategoryOf(err); e != domain.Validation || !strings.Contains(err.Error(), "file_path") {
				t.Fatalf("%q: %v", given, err)
			}
			return
		}
		if joined := path.Join("/vault", given); joined != "/vault/"+given || !utf8.ValidString(given) || len(given) > domain.MaxNotePathBytes {
			t.Fatalf("%q is taken, and leads to %q", given, joined)
		}
	})
}
