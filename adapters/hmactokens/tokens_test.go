package hmactokens_test

import (
	"os"
	"path/filepath"
	"testing"

	"chalie/adapters/hmactokens"
	"chalie/domain"
)

func TestTokens(t *testing.T) {
	dir := t.TempDir()
	open := func() *hmactokens.Tokens {
		t.Helper()
		tokens, err := hmactokens.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		return tokens
	}
	first, one, two := open(), domain.ID{15: 1}, domain.ID{15: 2}
	if first.Token(one) == first.Token(two) || len(first.Token(one)) != 52 {
		t.Errorf("the tokens are %s and %s", first.Token(one), first.Token(two))
	}
	if again := open(); again.Token(one) != first.Token(one) {
		t.Error("another token after a restart")
	}
	name := filepath.Join(dir, hmactokens.FileName)
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key file is %v, %v", info, err)
	}
	for _, damage := range []string{"", "12", "zz" + string(make([]byte, 63))} {
		if err := os.WriteFile(name, []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		fresh := open()
		if fresh.Token(one) == first.Token(one) || open().Token(one) != fresh.Token(one) {
			t.Errorf("%q is taken for a key", damage)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Errorf("left behind are %v, %v", files, err)
	}
	if _, err := hmactokens.Open(filepath.Join(dir, "nowhere")); domain.CategoryOf(err) != domain.Dependency {
		t.Errorf("without a folder: %v", err)
	}
}
