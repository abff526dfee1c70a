package unixsocket

import (
	"errors"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// trustedPeer reports whether the peer runs as this user, as root or as owner.
func trustedPeer(conn *net.UnixConn, owner int) (bool, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return false, err
	}
	var cred *unix.Ucred
	var credErr error
	err = raw.Control(func(fd uintptr) {
		cred, credErr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	})
	if err := errors.Join(err, credErr); err != nil {
		return false, err
	}
	return trustedUser(int(cred.Uid), os.Getuid()) || int(cred.Uid) == owner, nil
}
