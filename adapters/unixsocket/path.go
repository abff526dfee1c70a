package unixsocket

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"chalie/domain"
)

// maxPathBytes is below what any operating system takes for a socket's path.
const maxPathBytes = 100

// Path is where the socket of a data directory is, whether or not it exists.
func Path(dataDir string) (string, error) {
	dir, err := filepath.Abs(dataDir)
	if err != nil {
		return "", &domain.Error{Op: "find socket", Category: domain.Dependency, Code: "no_path", Err: err,
			Message: fmt.Sprintf("can't tell where %s is: name the data directory with its whole path", dataDir)}
	}
	// Two ways to one folder must lead to one socket.
	if target, err := filepath.EvalSymlinks(dir); err == nil {
		dir = target
	}
	path := filepath.Join(dir, "run", "chalie.sock")
	if len(path) <= maxPathBytes {
		return path, nil
	}
	sum := sha256.Sum256([]byte(dir))
	return filepath.Join(os.TempDir(), fmt.Sprintf("chalie-%d", os.Getuid()), hex.EncodeToString(sum[:8])+".sock"), nil
}

// privateFolder makes the socket's folder, or checks the one that is there: in a
// folder everyone may write to, somebody else may have made it first.
func privateFolder(dir string) error {
	refused := func(why string, err error) error {
		return &domain.Error{Op: "open socket", Category: domain.Dependency, Code: "unsafe_folder", Err: err,
			Message: fmt.Sprintf("%s %s: remove or repair it, and start again", dir, why)}
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return refused("can't be made", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !os.IsExist(err) {
		return refused("can't be made", err)
	}
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return refused("can't be looked at", err)
	case !info.IsDir():
		return refused("is no folder", nil)
	case !ownedByUs(info):
		return refused("belongs to another user", nil)
	}
	if info.Mode().Perm() != 0o700 {
		if err := os.Chmod(dir, 0o700); err != nil {
			return refused("is open to other users and can't be closed", err)
		}
	}
	return nil
}
