package pebblelog

import (
	"errors"
	"fmt"
	"sync"

	"chalie/domain"
)

// CodeCopyDamaged says that the copy of a log elsewhere can't be used as it is. Nothing is
// lost by it.
const CodeCopyDamaged domain.Code = "copy_damaged"

func copyDamaged(cfg Config, cause error) error {
	if domain.CodeOf(cause) == CodeCopyDamaged {
		return cause
	}
	return &domain.Error{Op: "open log", Category: domain.Dependency, Code: CodeCopyDamaged, Err: cause,
		Message: fmt.Sprintf("the log in %s is damaged, and is a copy of the stream %s of a cluster, which has all of it; `chalie serve` moves it aside and makes it anew", cfg.Dir, cfg.Of)}
}

// isOfFiles tells damaged files of a copy from a machine that refuses to read or write
// them, and from a log that is whole and another's.
func isOfFiles(err error) bool {
	if known, ok := errors.AsType[*domain.Error](err); ok {
		return known.Code == domain.CodeCorrupt || known.Code == CodeCopyDamaged
	}
	return !unread(err)
}

// setAside moves a damaged copy to a folder beside it, with what a repair left of it.
func setAside(cfg Config, why error) (err error) {
	aside := damagedFolder(cfg)
	if info, err := cfg.FS.Stat(cfg.Dir); err == nil && info.IsDir() {
		locked := cfg
		locked.ReadOnly = true // HOLDER would be left in it
		lock, err := lockFolder(locked)
		if err != nil {
			return err
		}
		defer func() { err = firstOf(err, lock.Close()) }()
	}
	if err := cfg.FS.MkdirAll(aside, 0o700); err != nil {
		return cantSetAside(cfg, err)
	}
	for _, dir := range []string{cfg.Dir, cfg.Dir + repairingSuffix, cfg.Dir + repairedSuffix} {
		if _, err := cfg.FS.Stat(dir); err != nil {
			continue // it isn't there
		}
		if err := cfg.FS.Rename(dir, cfg.FS.PathJoin(aside, cfg.FS.PathBase(dir))); err != nil {
			return cantSetAside(cfg, err)
		}
	}
	if err := firstOf(syncFolder(cfg, aside), syncFolder(cfg, cfg.FS.PathDir(cfg.Dir))); err != nil {
		return cantSetAside(cfg, err)
	}
	cfg.Logger.Warn("the copy of the log on this machine is damaged; it is moved aside, and made anew from the cluster", "aside", aside, "err", why)
	return nil
}

func cantSetAside(cfg Config, cause error) error {
	return &domain.Error{Op: "open log", Category: domain.Dependency, Code: domain.CodeDiskFailed, Retriable: true, Err: cause,
		Message: fmt.Sprintf("the damaged copy of the log in %s can't be moved aside; check the disk, its free space and the folder's permissions, and start again", cfg.Dir)}
}

// damage is what a copy turned out to have while it was open.
type damage struct {
	mu    sync.Mutex
	why   error
	found chan struct{} // closed when there is some
}

// note notes that a file of a copy is damaged. A log of its own goes on, as far as it can
// be read.
func (l *Log) note(cause error) {
	if l.cfg.Of == "" || l.cfg.ReadOnly {
		return
	}
	l.damage.mu.Lock()
	defer l.damage.mu.Unlock()
	if l.damage.why == nil {
		l.damage.why = copyDamaged(l.cfg, cause)
		close(l.damage.found)
	}
}

// Damaged is closed when a copy turns out to be damaged, of which Damage is the cause. It is
// to be closed, and opened again with Config.Damage.
func (l *Log) Damaged() <-chan struct{} { return l.damage.found }

// Damage is why Damaged was closed; nil before.
func (l *Log) Damage() error {
	l.damage.mu.Lock()
	defer l.damage.mu.Unlock()
	return l.damage.why
}
