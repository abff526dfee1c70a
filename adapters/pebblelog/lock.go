package pebblelog

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// holderFile is next to Pebble's files and says who holds the lock. It is
// written for people; the lock itself is the operating system's.
const holderFile = "HOLDER"

type holder struct {
	Program string    `json:"program"`
	PID     int       `json:"pid"`
	Since   time.Time `json:"since"`
}

// lockFolder takes the folder for this process. The error names who has it.
func lockFolder(cfg Config) (io.Closer, error) {
	lock, err := cfg.FS.Lock(cfg.FS.PathJoin(cfg.Dir, "LOCK"))
	if err != nil {
		if _, statErr := cfg.FS.Stat(cfg.Dir); statErr != nil {
			return nil, noLog(cfg, statErr)
		}
		if err := isFolder(cfg); err != nil {
			return nil, err
		}
		if readOnlyDisk(err) && cfg.ReadOnly {
			return lockToRead(cfg)
		}
		if readOnlyDisk(err) {
			return nil, &domain.Error{Op: "open log", Category: domain.Dependency, Code: domain.CodeDiskFailed, Err: err,
				Message: fmt.Sprintf("%s is on a read-only file system, and a running Chalie writes; mount it for writing, or copy the folder to where that is possible", cfg.Dir)}
		}
		if err := refused("open log", cfg.Dir, err); err != nil && domain.CodeOf(err) == domain.CodeNoDescriptors {
			return nil, err
		}
		if errors.Is(err, os.ErrPermission) {
			return nil, &domain.Error{Op: "open log", Category: domain.Dependency, Code: domain.CodeDiskFailed, Err: err,
				Message: fmt.Sprintf("can't use %s; check who owns it and its permissions", cfg.Dir)}
		}
		return nil, inUse(cfg, err)
	}
	if cfg.ReadOnly {
		return lock, nil
	}
	if err := writeHolder(cfg); err != nil {
		if domain.CodeOf(err) != "" {
			return nil, firstOf(err, lock.Close())
		}
		return nil, firstOf(&domain.Error{Op: "open log", Category: domain.Dependency, Code: domain.CodeDiskFailed, Err: err,
			Message: fmt.Sprintf("can't write to %s; check its permissions and free space", cfg.Dir)}, lock.Close())
	}
	return lock, nil
}

// isFolder refuses a file where the folder of the log should be.
func isFolder(cfg Config) error {
	info, err := cfg.FS.Stat(cfg.Dir)
	if err != nil || info.IsDir() {
		return nil //nolint:nilerr // whoever makes or opens it says what is wrong
	}
	return &domain.Error{Op: "open log", Category: domain.Dependency, Code: domain.CodeDiskFailed,
		Message: fmt.Sprintf("%s is a file, and should be the folder with the log; nothing was changed; move it away and restore the folder from a backup", cfg.Dir)}
}

func inUse(cfg Config, err error) error {
	held := "by a command that reads it; wait until that has ended"
	if by, known := whoHolds(cfg); known {
		held = by + "; stop it"
	}
	return &domain.Error{Op: "open log", Category: domain.Conflict, Code: "locked", Retriable: true, Err: err,
		Message: fmt.Sprintf("%s is in use %s, or name another folder with --data", cfg.Dir, held)}
}

// lockToRead locks a read-only folder against writers, who may reach it through another
// mount, with a lock that readers may take. Without a lock file there is no writer.
func lockToRead(cfg Config) (io.Closer, error) {
	file, err := os.Open(cfg.FS.PathJoin(cfg.Dir, "LOCK"))
	if err != nil {
		return unlocked{}, nil //nolint:nilerr // there is none, as in a copy made without it
	}
	if err := shareLock(file); err != nil {
		return nil, errors.Join(inUse(cfg, err), file.Close())
	}
	return file, nil
}

// whoHolds names the writer that holds the lock. Readers, which hold it for as long as they read,
// leave no name.
func whoHolds(cfg Config) (by string, known bool) {
	file, err := cfg.FS.Open(cfg.FS.PathJoin(cfg.Dir, holderFile))
	if err != nil {
		return "", false
	}
	defer file.Close()
	var h holder
	// A process that was killed leaves its file behind, and a reader that holds
	// the lock meanwhile writes none.
	if err := json.NewDecoder(io.LimitReader(file, 4096)).Decode(&h); err != nil || !alive(h.PID) {
		return "", false
	}
	return fmt.Sprintf("by %s (process %d, since %s)", h.Program, h.PID, h.Since.Local().Format("2006-01-02 15:04:05")), true
}

func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}

func writeHolder(cfg Config) error {
	now := cfg.Clock.Now().Truncate(time.Second)
	text, err := json.Marshal(holder{Program: cfg.Holder, PID: os.Getpid(), Since: now})
	if err != nil { // JSON has no years of five digits
		return &domain.Error{Op: "open log", Category: domain.Conflict, Code: "clock_wrong", Err: err,
			Message: fmt.Sprintf("this machine's clock shows the year %d, and times end with 9999: set the clock, and start again; nothing was changed", now.Year())}
	}
	file, err := cfg.FS.Create(cfg.FS.PathJoin(cfg.Dir, holderFile), vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	return firstOf(err, file.Close())
}

func removeHolder(cfg Config) error {
	if cfg.ReadOnly {
		return nil
	}
	return cfg.FS.Remove(cfg.FS.PathJoin(cfg.Dir, holderFile))
}

// firstOf is the first error that is not nil.
func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
