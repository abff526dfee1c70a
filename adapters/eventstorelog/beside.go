package eventstorelog

import (
	"bytes"
	"cmp"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"chalie/domain"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/google/renameio/v2"
	"github.com/google/uuid"
)

// KeyFile is the key of what is kept beside the log, in the data directory: 64 hex digits
// and a line break, mode 0600. Whoever has it and the cluster has all of that.
const KeyFile = "CLUSTER-KEY"

// StateFile says what of the changing files was last the same here and in the cluster.
const StateFile = "CLUSTER-FILES"

// CodeBesideLocked says that what is kept beside the log can't be read or added to.
const CodeBesideLocked domain.Code = "cluster_key_missing"

// Beside keeps files of a data directory that aren't in the log in a stream of their own,
// encrypted. Files of a folder are named by what is in them and never change; the others
// may. It is safe for concurrent use.
type Beside struct {
	cluster *cluster
	stream  string
	dir     string
	folder  string   // of files that never change
	files   []string // that may change

	locked atomic.Pointer[error] // why there is no key, when the stream has something

	turn      chan struct{}     // has one while nobody uses what follows
	comparing bool              // nothing is written here
	aead      cipher.AEAD       // nil without the key
	next      uint64            // revision of the next event
	kept      map[string]string // SHA-256 of each file in the stream, by its name
	parts     map[string][]byte // of files of which not all was read yet, by the id of their first
	same      map[string]string // SHA-256 of each changing file when it was last the same on both sides
}

// part is a part of a file, as it is before it is encrypted: this as a line of JSON, and
// then bytes.
type part struct {
	Name string `json:"name"`
	ID   string `json:"id"` // of this version of the file
	Part int    `json:"part"`
	Of   int    `json:"of"`
}

// incoming is the folder of files that are being written.
const incoming = "CLUSTER-INCOMING"

// partBytes is how much of a file one event has.
const partBytes = 512 << 10

// Beside keeps files of a data directory beside the node's log: those of a folder, and
// some more.
func (n *Node) Beside(dir, folder string, files ...string) *Beside {
	b := &Beside{cluster: n.cluster, stream: n.cfg.Stream + "-beside", dir: dir, folder: folder, files: files,
		turn: make(chan struct{}, 1), kept: map[string]string{}, parts: map[string][]byte{}, same: map[string]string{}}
	b.turn <- struct{}{}
	return b
}

// take waits for its turn: while the cluster is away, somebody may have it for long.
func (b *Beside) take(ctx context.Context) (leave func(), err error) {
	select {
	case <-b.turn:
		return func() { b.turn <- struct{}{} }, nil
	case <-ctx.Done():
		return nil, b.away(ctx.Err())
	}
}

// Locked is why what the cluster has can't be read; nil when it can, or there is nothing.
func (b *Beside) Locked() error {
	if why := b.locked.Load(); why != nil {
		return *why
	}
	return nil
}

func (b *Beside) lock(how string) {
	err := b.isLocked(how)
	b.locked.Store(&err)
}

// Check looks whether what the cluster has can be read, and brings nothing. Locked says the
// same afterwards.
func (b *Beside) Check(ctx context.Context) error {
	leave, err := b.take(ctx)
	if err != nil {
		return err
	}
	defer leave()
	b.locked.Store(nil)
	if err := b.open(ctx); err != nil || b.aead == nil {
		return cmp.Or(err, b.Locked())
	}
	first, err := b.cluster.read(ctx, b.stream, esdb.Start{}, esdb.Forwards, 1)
	if err != nil {
		return b.away(err)
	}
	if len(first) > 0 {
		if _, _, foreign := b.decrypt(first[0].data); foreign != nil {
			b.aead = nil
			b.lock("is the key of another cluster")
		}
	}
	return b.Locked()
}

// Restore brings the files that the cluster has to the data directory: all that are
// missing, and of those that may change the ones that weren't changed here. Without the
// key it brings none, and Locked says so. Errors are those of the cluster or of the disk.
func (b *Beside) Restore(ctx context.Context) error {
	leave, err := b.take(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if err := os.RemoveAll(b.path(incoming)); err != nil { // what a crash left
		return err
	}
	if err := b.open(ctx); err != nil || b.aead == nil {
		return err
	}
	return b.read(ctx)
}

// Keep adds what the cluster lacks: of these files, or of all. Errors: Dependency with
// CodeBesideLocked without the key; those of the cluster or of the disk.
func (b *Beside) Keep(ctx context.Context, names ...string) error {
	leave, err := b.take(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if err := b.open(ctx); err != nil {
		return err
	}
	if err := b.Locked(); err != nil {
		return err
	}
	if b.aead == nil {
		if err := b.makeKey(); err != nil {
			return err
		}
	}
	if len(names) == 0 {
		var err error
		if names, err = b.all(); err != nil {
			return err
		}
	}
	for _, name := range names {
		content, err := os.ReadFile(b.path(name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := b.keep(ctx, name, content); err != nil {
			return err
		}
	}
	return b.remember()
}

func (b *Beside) path(name string) string { return filepath.Join(b.dir, filepath.FromSlash(name)) }

func sumOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// all are the names of what is in the data directory.
func (b *Beside) all() ([]string, error) {
	names := slices.Clone(b.files)
	err := filepath.WalkDir(b.path(b.folder), func(file string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil || !entry.Type().IsRegular():
			return err
		}
		name, err := filepath.Rel(b.dir, file)
		if name = filepath.ToSlash(name); err == nil && !slices.Contains(names, name) && b.mayBe(name) {
			names = append(names, name)
		}
		return err
	})
	return names, err
}

// mayBe reports whether a file of this name is kept. Those of the folder are in folders
// below it.
func (b *Beside) mayBe(name string) bool {
	return slices.Contains(b.files, name) ||
		filepath.IsLocal(filepath.FromSlash(name)) && strings.HasPrefix(name, b.folder+"/") && strings.Count(name, "/") > 1
}

// open reads the key and what was the same. Without a key it looks whether one is needed.
func (b *Beside) open(ctx context.Context) error {
	if b.aead != nil {
		return nil
	}
	text, err := os.ReadFile(b.path(KeyFile))
	if errors.Is(err, fs.ErrNotExist) {
		last, err := b.cluster.last(ctx, b.stream)
		if err != nil {
			return b.away(err)
		}
		if last != nil {
			b.lock("is missing")
		}
		return nil
	}
	if err != nil {
		return err
	}
	key, damaged := hex.DecodeString(strings.TrimSpace(string(text)))
	if damaged != nil || len(key) != 32 {
		b.lock("is damaged")
		return nil //nolint:nilerr // Locked says it
	}
	if text, err := os.ReadFile(b.path(StateFile)); err == nil {
		_ = json.Unmarshal(text, &b.same) // as if nothing had been the same
	}
	return b.unlock(key)
}

func (b *Beside) unlock(key []byte) error {
	block, err := aes.NewCipher(key)
	if err == nil {
		b.aead, err = cipher.NewGCM(block)
	}
	return err
}

func (b *Beside) isLocked(how string) error {
	return &domain.Error{Op: "read what lies beside the log", Category: domain.Dependency, Code: CodeBesideLocked,
		Message: fmt.Sprintf("%s %s, and images, keys and settings in the cluster are encrypted by it; copy it from the machine that wrote the log before, or from where you keep it, and start again", b.path(KeyFile), how)}
}

func (b *Beside) away(cause error) error {
	return &domain.Error{Op: "read what lies beside the log", Category: domain.Dependency, Code: domain.CodeClusterAway, Retriable: true, Err: b.cluster.explained(cause),
		Message: "the cluster, which keeps images and keys beside the log, doesn't answer; try again"}
}

// makeKey makes the key of a stream that has nothing yet.
func (b *Beside) makeKey() error {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // it never fails
	if err := b.write(KeyFile, fmt.Appendf(nil, "%x\n", key)); err != nil {
		return err
	}
	return b.unlock(key)
}

// read reads what is new in the stream, and brings it here.
func (b *Beside) read(ctx context.Context) error {
	for {
		const atOnce = 16
		found, err := b.cluster.read(ctx, b.stream, esdb.Revision(b.next), esdb.Forwards, atOnce)
		if err != nil {
			return b.away(err)
		}
		for _, e := range found {
			p, content, foreign := b.decrypt(e.data)
			if foreign != nil {
				b.aead = nil
				b.lock("is the key of another cluster")
				return nil //nolint:nilerr // Locked says it
			}
			b.next = e.revision + 1
			if whole, done := b.join(p, content); done && b.mayBe(p.Name) {
				b.kept[p.Name] = sumOf(whole)
				if err := b.bring(p.Name, whole); err != nil {
					return err
				}
			}
		}
		if len(found) < atOnce {
			return b.remember()
		}
	}
}

// join adds a part to those before it.
func (b *Beside) join(p part, content []byte) (whole []byte, done bool) {
	whole, begun := b.parts[p.ID]
	if begun != (p.Part > 0) {
		return nil, false // its beginning was never written
	}
	whole = append(whole, content...)
	if p.Part < p.Of-1 {
		b.parts[p.ID] = whole
		return nil, false
	}
	delete(b.parts, p.ID)
	return whole, true
}

// Compare reads what the cluster has, and compares it with the files here: how many they
// are. Errors: Conflict with CodeBesideOther when one differs or is missing on either side;
// those of Keep.
func (b *Beside) Compare(ctx context.Context) (files int, err error) {
	leave, err := b.take(ctx)
	if err != nil {
		return 0, err
	}
	defer leave()
	if err := b.open(ctx); err != nil {
		return 0, err
	}
	b.comparing = true
	if b.aead != nil {
		if err := b.read(ctx); err != nil {
			return 0, err
		}
	}
	if err := b.Locked(); err != nil {
		return 0, err
	}
	names, err := b.all()
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		content, err := os.ReadFile(b.path(name))
		if errors.Is(err, fs.ErrNotExist) && b.kept[name] == "" {
			continue
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
		if err != nil || b.kept[name] != sumOf(content) {
			return 0, b.differs(name)
		}
		files++
		delete(b.kept, name)
	}
	for name := range b.kept {
		return 0, b.differs(name)
	}
	return files, nil
}

// CodeBesideOther says that a file beside the log isn't what the cluster has.
const CodeBesideOther domain.Code = "cluster_file_differs"

func (b *Beside) differs(name string) error {
	return &domain.Error{Op: "compare what lies beside the log", Category: domain.Conflict, Code: CodeBesideOther,
		Message: fmt.Sprintf("%s isn't what the cluster has of it; bring it back from a backup, or move it away to take the cluster's, and try again", b.path(name))}
}

// bring writes a file that the cluster has, unless it was changed here.
func (b *Beside) bring(name string, content []byte) error {
	if b.comparing {
		return nil
	}
	mine, err := os.ReadFile(b.path(name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	missing, sum := err != nil, sumOf(content)
	before, known := b.same[name]
	switch {
	case !missing && sumOf(mine) == sum:
	case !missing && known && sumOf(mine) != before:
		return nil // it was changed here, and is kept when this node writes
	case !missing && !known && slices.Contains(b.files, name):
		if err := b.write(name+".before", mine); err != nil {
			return err
		}
		fallthrough
	default:
		if err := b.write(name, content); err != nil {
			return err
		}
	}
	if slices.Contains(b.files, name) {
		b.same[name] = sum
	}
	return nil
}

// keep adds a file to the stream, unless that has it.
func (b *Beside) keep(ctx context.Context, name string, content []byte) error {
	sum := sumOf(content)
	for b.kept[name] != sum {
		events, err := b.encrypt(name, content)
		if err != nil {
			return err
		}
		first := b.next
		for i, event := range events {
			if err = b.cluster.settle(ctx, b.stream, b.next, []esdb.EventData{event}); err != nil {
				break
			}
			b.next = first + uint64(i) + 1
		}
		switch {
		case code(err) == esdb.ErrorCodeWrongExpectedVersion:
			if err := b.read(ctx); err != nil {
				return err
			}
			if err := b.Locked(); err != nil {
				return err
			}
		case err != nil:
			return b.away(err)
		default:
			b.kept[name] = sum
		}
	}
	if slices.Contains(b.files, name) {
		b.same[name] = sum
	}
	return nil
}

// encrypt makes the events of a file.
func (b *Beside) encrypt(name string, content []byte) (events []esdb.EventData, err error) {
	chunks := slices.Collect(slices.Chunk(content, partBytes))
	if len(chunks) == 0 {
		chunks = [][]byte{nil}
	}
	id := uuid.NewString()
	for i, chunk := range chunks {
		plain, err := json.Marshal(part{name, id, i, len(chunks)})
		if err != nil {
			return nil, err
		}
		nonce := make([]byte, b.aead.NonceSize())
		_, _ = rand.Read(nonce) // it never fails
		data := b.aead.Seal(nonce, nonce, append(append(plain, '\n'), chunk...), []byte(b.stream))
		events = append(events, esdb.EventData{EventID: uuid.New(), EventType: "file.kept", ContentType: esdb.ContentTypeBinary, Data: data})
	}
	return events, nil
}

func (b *Beside) decrypt(data []byte) (p part, content []byte, err error) {
	size := b.aead.NonceSize()
	if len(data) < size {
		return p, nil, errors.New("it is too short")
	}
	plain, err := b.aead.Open(nil, data[:size], data[size:], []byte(b.stream))
	if err != nil {
		return p, nil, err
	}
	head, content, _ := bytes.Cut(plain, []byte("\n"))
	return p, content, json.Unmarshal(head, &p)
}

// remember writes what is the same on both sides.
func (b *Beside) remember() error {
	text, err := json.Marshal(b.same)
	if err != nil {
		return err
	}
	if before, err := os.ReadFile(b.path(StateFile)); err == nil && bytes.Equal(before, text) || len(b.same) == 0 {
		return nil
	}
	return b.write(StateFile, text)
}

// write writes a file whole or not at all.
func (b *Beside) write(name string, content []byte) error {
	file, incoming := b.path(name), b.path(incoming)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.MkdirAll(incoming, 0o700)); err != nil {
		return err
	}
	return renameio.WriteFile(file, content, 0o600, renameio.WithTempDir(incoming))
}
