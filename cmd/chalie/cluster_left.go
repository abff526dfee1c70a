package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"chalie/adapters/eventstorelog"
	"chalie/adapters/pebblelog"
	"chalie/domain"

	"github.com/google/renameio/v2"
)

// leftFile says, in a data directory that has files of a cluster, that its log is kept on
// this machine alone all the same: it was brought back.
const leftFile = "CLUSTER-LEFT"

// noteLeft writes it where it is needed.
func noteLeft(data string) error {
	if hasFile(data, leftFile) || clusterMark(data) == "" {
		return nil
	}
	return renameio.WriteFile(filepath.Join(data, leftFile), []byte("The log is kept on this machine alone.\n"), 0o600)
}

// clusterMark is a file that only a machine of a cluster has, besides CLUSTER; "" for none.
func clusterMark(data string) string {
	for _, name := range []string{eventstorelog.KeyFile, eventstorelog.StateFile} {
		if hasFile(data, name) {
			return name
		}
	}
	return ""
}

func hasFile(data, name string) bool {
	_, err := os.Lstat(filepath.Join(data, name))
	return err == nil
}

// keptHere refuses to take a log for one of this machine alone when the data directory is
// that of a machine of a cluster and lacks CLUSTER: what is missing isn't lost then. at says
// where the log is. A log that is whole says itself what it is, and Open reads it.
func keptHere(data string, at pebblelog.Config) error {
	mark := clusterMark(data)
	by, _, err := underWay(data)
	leaving := err == nil && by != "" && !by.IsBack() // it is here until the move's end
	if mark == "" || leaving || hasFile(data, leftFile) || hasFile(data, clusterFile) {
		return nil
	}
	whole, err := isWhole(at)
	switch {
	case whole:
		return nil
	case busy(err) || errors.Is(err, fs.ErrPermission) || domain.CodeOf(err) == domain.CodeNoDescriptors:
		return err
	}
	return &domain.Error{Op: "open log", Category: domain.Conflict, Code: pebblelog.CodeIsCopy, Err: err,
		Message: fmt.Sprintf("the log in %s is damaged or gone, and a cluster keeps it, as the file %s shows; the file %s, which says where, is gone too; nothing was changed; start `chalie serve --log ADDRESS --log-stream NAME` with the cluster's address and the stream's name, which makes the log anew from there; if it was brought back from the cluster before, make an empty file %s beside it, and run this again",
			at.Dir, mark, clusterFile, leftFile)}
}

// isWhole reports whether a log has records and lacks none, without changing it.
func isWhole(at pebblelog.Config) (whole bool, err error) {
	at.ReadOnly = true
	log, err := pebblelog.Open(at)
	if err != nil {
		return false, err
	}
	whole = log.Refusal() == nil && log.Tail() > 0
	return whole, log.Close()
}
