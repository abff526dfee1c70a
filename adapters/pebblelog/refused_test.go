package pebblelog_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"chalie/adapters/pebblelog"
	"chalie/domain"
	"chalie/domain/domaintest"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// inTables makes a log on disk whose records lie in several tables, and returns its
// folder and its first entry.
func inTables(t *testing.T) (dir string, first domain.Entry) {
	t.Helper()
	dir = t.TempDir()
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	entries := domaintest.NewEntries(ids, "signals", 800)
	for part := range 4 { // an opening moves what the WAL holds into a table
		l := open(t, pebblelog.Config{Dir: dir, Clock: clock})
		if _, err := l.Append(t.Context(), domain.Batch{Entries: entries[part*200 : (part+1)*200]}); err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return dir, entries[0]
}

// What the machine refuses to read is not damaged: nobody may be sent to a backup, the
// log goes on by itself, and nothing is missing afterwards.
func TestRefusedReadsAreNoDamage(t *testing.T) {
	for _, tc := range []struct {
		name  string
		cause error
		kinds []errorfs.OpKind
		want  domain.Code
		says  string
	}{
		{"no descriptor of this process", syscall.EMFILE, []errorfs.OpKind{errorfs.OpOpen}, domain.CodeNoDescriptors, "ulimit -n"},
		{"no descriptor of this machine", syscall.ENFILE, []errorfs.OpKind{errorfs.OpOpen}, domain.CodeNoDescriptors, "ulimit -n"},
		{"a failing disk", syscall.EIO, []errorfs.OpKind{errorfs.OpFileRead, errorfs.OpFileReadAt}, domain.CodeDiskFailed, "the disk fails to read"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir, first := inTables(t)
			disk := &brokenDisk{cause: &os.PathError{Op: "read", Path: "a table", Err: tc.cause}, kinds: tc.kinds, files: regexp.MustCompile(`\.sst$`)}
			clock := domaintest.NewClock()
			l := open(t, pebblelog.Config{Dir: dir, Clock: clock, FS: errorfs.Wrap(vfs.Default, disk), RetryEvery: time.Millisecond, OpenTables: 1, CacheBytes: 1})
			defer l.Close()
			disk.broken.Store(true)
			reads := map[string]func() error{
				"select": func() error { _, err := l.Select(t.Context(), domain.Selector{}, 1, 1<<20); return err },
				"by topic": func() error {
					_, err := l.Select(t.Context(), domain.Selector{Topic: "signals"}, 1, 1<<20)
					return err
				},
				"find": func() error { _, err := l.Find(t.Context(), first.Envelope.ID); return err },
				"a repeated append": func() error {
					_, err := l.Append(t.Context(), domain.Batch{Entries: []domain.Entry{first}})
					return err
				},
			}
			for name, read := range reads {
				err := read()
				if domain.CodeOf(err) != tc.want || !domain.IsRetriable(err) || !strings.Contains(err.Error(), tc.says) {
					t.Errorf("%s: %v, want a retriable %s that says %q", name, err, tc.want, tc.says)
				}
				if err != nil && strings.Contains(err.Error(), "backup") {
					t.Errorf("%s sends the person to a backup: %v", name, err)
				}
			}
			report, err := l.Verify(t.Context(), nil)
			if tc.want == domain.CodeNoDescriptors && domain.CodeOf(err) != tc.want {
				t.Errorf("verify could look at nothing and says %+v, %v", report, err)
			}
			if tc.want == domain.CodeDiskFailed && (err != nil || report.OK() || !strings.Contains(report.Problems[0].Error, "input/output error")) {
				t.Errorf("verify of a disk that fails says %+v, %v", report, err)
			}
			if disk.hits.Load() == 0 {
				t.Fatal("nothing was refused; the test tested nothing")
			}

			disk.broken.Store(false)
			for name, read := range reads {
				if err := read(); err != nil {
					t.Errorf("%s, once the machine reads again: %v", name, err)
				}
			}
			mustVerify(t, l)
		})
	}
}

// A file in place of a log's folder is named as that by whoever needs the log, and stays.
func TestFileInPlaceOfTheFolder(t *testing.T) {
	t.Parallel()
	clock := domaintest.NewClock()
	cfg := pebblelog.Config{Dir: filepath.Join(t.TempDir(), "log"), Clock: clock}
	if err := os.WriteFile(cfg.Dir, []byte("log"), 0o600); err != nil {
		t.Fatal(err)
	}
	toRead := cfg
	toRead.ReadOnly = true
	_, opened := pebblelog.Open(cfg)
	_, read := pebblelog.Open(toRead)
	_, filled := pebblelog.BeginImport(cfg)
	_, repaired := pebblelog.Repair(t.Context(), pebblelog.RepairConfig{Log: cfg, IDs: domaintest.NewIDs(clock, 1)})
	for what, err := range map[string]error{"opened": opened, "read": read, "filled": filled, "repaired": repaired} {
		if domain.CodeOf(err) != domain.CodeDiskFailed || !strings.Contains(err.Error(), "is a file, and should be the folder with the log") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if text, err := os.ReadFile(cfg.Dir); err != nil || string(text) != "log" {
		t.Errorf("the file has %q, %v", text, err)
	}
}
