package mcpclient

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chalie/commands"
	"chalie/domain"
)

// rights are which servers may be reached from here: a file for each, beside the log and
// not in it. A right holds for one way of reaching the server, one machine and one data
// directory, so neither an imported log nor a copied directory starts anything.
type rights struct{ dir string }

// folderOf is a server's own folder, which it runs in.
func (r rights) folderOf(id domain.ID) string { return filepath.Join(r.dir, id.UUID()) }

func (r rights) file(id domain.ID) string { return filepath.Join(r.dir, id.UUID()+".right") }

func (r rights) give(id domain.ID, s domain.MCPServer) error {
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return err
	}
	text := r.right(s) + "\n"
	next := r.file(id) + ".new"
	if err := os.WriteFile(next, []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(next, r.file(id))
}

func (r rights) take(id domain.ID) error {
	err := os.Remove(r.file(id))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, os.RemoveAll(r.folderOf(id)))
}

// check returns an error of policy when there is no right.
func (r rights) check(id domain.ID, name string, s domain.MCPServer) error {
	text, err := os.ReadFile(r.file(id))
	if err == nil && strings.TrimSpace(string(text)) == r.right(s) {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failure("start an MCP server", commands.CodePeerForbidden, "the right to start "+name+" can't be read: see that Chalie may read its data directory", err)
	}
	return &domain.Error{Op: "start an MCP server", Category: domain.Policy, Code: commands.CodePeerForbidden,
		Message: name + " was added on another machine or in another data directory, so it isn't started here: if you want it to, add it here with the same name and command"}
}

// right is what the file of a server says.
func (r rights) right(s domain.MCPServer) string {
	dir, err := filepath.Abs(r.dir)
	if err != nil {
		dir = r.dir
	}
	sum := sha256.Sum256([]byte(s.Digest() + "\x00" + machine() + "\x00" + dir))
	return hex.EncodeToString(sum[:])
}

// machine tells this machine from others.
func machine() string {
	for _, at := range []string{"/etc/machine-id", "/var/lib/dbus/machine-id"} {
		if text, err := os.ReadFile(at); err == nil && strings.TrimSpace(string(text)) != "" {
			return strings.TrimSpace(string(text))
		}
	}
	name, _ := os.Hostname() // none is as good as any
	return name
}
