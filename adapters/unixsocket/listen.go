package unixsocket

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"chalie/domain"
)

// answersWithin is how long a server gets to take a call that only asks whether
// it is there.
const answersWithin = time.Second

// Listen opens the socket of a data directory. Its errors name the path: a
// conflict when another server answers there, a dependency when the folder can't
// be used.
//
// The caller must hold the data directory's lock: two servers that start at the
// same moment are told apart by it, not by the socket.
func Listen(dataDir string) (net.Listener, error) {
	path, err := Path(dataDir)
	if err != nil {
		return nil, err
	}
	if err := privateFolder(filepath.Dir(path)); err != nil {
		return nil, err
	}
	if err := clearStale(path); err != nil {
		return nil, err
	}
	inner, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, &domain.Error{Op: "open socket", Category: domain.Dependency, Code: "no_socket", Err: err,
			Message: fmt.Sprintf("can't listen on %s: check the folder's permissions and free space", path)}
	}
	inner.SetUnlinkOnClose(false)
	info, err := os.Lstat(path)
	if err == nil {
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		return nil, errors.Join(&domain.Error{Op: "open socket", Category: domain.Dependency, Code: "no_socket", Err: err,
			Message: fmt.Sprintf("%s can't be closed to other users: check the folder's permissions", path)}, inner.Close())
	}
	return &listener{UnixListener: inner, path: path, made: info}, nil
}

// clearStale removes the socket of a server that is gone.
func clearStale(path string) error {
	info, err := os.Lstat(path)
	if os.IsNotExist(err) {
		return nil
	}
	if err == nil && info.Mode().Type() != os.ModeSocket {
		return &domain.Error{Op: "open socket", Category: domain.Conflict, Code: "path_taken",
			Message: fmt.Sprintf("%s is in the way and is no socket: move it, and start again", path)}
	}
	caller := net.Dialer{Timeout: answersWithin}
	conn, err := caller.DialContext(context.Background(), "unix", path)
	if err == nil {
		return errors.Join(&domain.Error{Op: "open socket", Category: domain.Conflict, Code: "already_running",
			Message: fmt.Sprintf("another Chalie answers on %s: stop it, or name another folder with --data", path)}, conn.Close())
	}
	if !refusedCall(err) {
		return &domain.Error{Op: "open socket", Category: domain.Dependency, Code: "no_socket", Err: err,
			Message: fmt.Sprintf("can't tell whether another Chalie listens on %s: remove it if none does, and start again", path)}
	}
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return &domain.Error{Op: "open socket", Category: domain.Dependency, Code: "no_socket", Err: err,
			Message: fmt.Sprintf("the left-over %s can't be removed: remove it, and start again", path)}
	}
	return nil
}

// listener hangs up on other users and cleans up after itself.
type listener struct {
	*net.UnixListener
	path string
	made os.FileInfo
}

// Accept returns the next peer that may connect.
func (l *listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.AcceptUnix()
		if err != nil {
			return nil, err
		}
		if ok, err := trustedPeer(conn, os.Getuid()); ok && err == nil {
			return conn, nil
		}
		// Another user, or one nobody can vouch for.
		_ = conn.Close()
	}
}

// Close stops listening. The socket is removed first, so that nobody calls where
// nobody listens; but not one that another server has put there since.
func (l *listener) Close() error {
	if info, err := os.Lstat(l.path); err == nil && os.SameFile(info, l.made) {
		if err := os.Remove(l.path); err != nil && !os.IsNotExist(err) {
			return errors.Join(err, l.UnixListener.Close())
		}
	}
	return l.UnixListener.Close()
}

// Dial calls the server of a data directory. When none runs the error is
// NotFound.
func Dial(ctx context.Context, dataDir string) (net.Conn, error) {
	path, err := Path(dataDir)
	if err != nil {
		return nil, err
	}
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "unix", path)
	switch {
	case err == nil:
		return trusted(conn, path, dataDir)
	case errors.Is(err, os.ErrNotExist) || refusedCall(err):
		return nil, &domain.Error{Op: "call server", Category: domain.NotFound, Code: CodeNotRunning, Err: err,
			Message: fmt.Sprintf("no Chalie runs on %s: start one with chalie serve --data %s", dataDir, dataDir)}
	}
	return nil, &domain.Error{Op: "call server", Category: domain.Dependency, Code: "no_socket", Err: err,
		Message: fmt.Sprintf("can't call the Chalie on %s through %s: check who owns it", dataDir, path)}
}

// trusted refuses a server that another user runs: in a folder that everyone may write to
// somebody else may have put a socket where ours would be, and what is sent there is
// theirs. Root may call the server of the user who owns the data.
func trusted(conn net.Conn, path, dataDir string) (net.Conn, error) {
	unix, ok := conn.(*net.UnixConn)
	if !ok {
		return conn, nil
	}
	if ours, err := trustedPeer(unix, ownerOf(dataDir)); err != nil || !ours {
		return nil, errors.Join(&domain.Error{Op: "call server", Category: domain.Policy, Code: CodeForeignServer, Err: err,
			Message: fmt.Sprintf("what answers on %s belongs to another user, so nothing was sent to it: find out who put it there, remove it, and run Chalie as the user who owns the data", path)}, conn.Close())
	}
	return conn, nil
}

// CodeForeignServer says that a server was found that another user runs.
const CodeForeignServer domain.Code = "foreign_server"

// CodeNotRunning says that no server listens on a data directory.
const CodeNotRunning domain.Code = "not_running"
