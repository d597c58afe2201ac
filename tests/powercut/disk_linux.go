package powercut

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// sector is how much a disk writes at once: a write of more may be torn.
const sector = 512

// operation is a change of one file.
type operation struct {
	kind kind
	name string // of the file in its folder; the folder's own is blank
	at   int64  // where a write begins, or to which size the file is cut
	data []byte
}

type kind int

const (
	create kind = iota
	write
	truncate
	remove
	settle // syncs a file, or the folder's list of names
)

// Disk notes what SQLite does in one folder.
type Disk struct {
	folder string

	mu    sync.Mutex
	done  []operation
	sizes map[string]int64
	limit int64 // bytes that the files may have together; 0: no limit
}

// Watch notes what SQLite does in a folder from now on. What is there already
// counts as synced. There is one watched folder at a time.
func Watch(t testing.TB, folder string) *Disk {
	t.Helper()
	d := &Disk{folder: folder, sizes: map[string]int64{}}
	if err := watch(d); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unwatch(d) })
	return d
}

// Now is the present moment, as Cut understands it.
func (d *Disk) Now() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.done)
}

// Limit makes the disk full as soon as the files written since Watch have so
// many bytes together; 0 lifts the limit.
func (d *Disk) Limit(bytes int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limit = bytes
}

// Size is how many bytes the files have that were written since Watch.
func (d *Disk) Size() (total int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, size := range d.sizes {
		total += size
	}
	return total
}

// Sync syncs a file, for whoever does so besides SQLite.
func (d *Disk) Sync(f *os.File) error {
	if name, ok := d.name(f.Name()); ok {
		d.note(operation{kind: settle, name: name})
	}
	return f.Sync()
}

func (d *Disk) note(op operation) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.done = append(d.done, op)
	switch op.kind {
	case write:
		d.sizes[op.name] = max(d.sizes[op.name], op.at+int64(len(op.data)))
	case truncate:
		d.sizes[op.name] = op.at
	case create, remove:
		delete(d.sizes, op.name)
	}
}

// room says that a file may be so long.
func (d *Disk) room(name string, length int64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.limit == 0 || length <= d.sizes[name] {
		return true
	}
	total := length - d.sizes[name]
	for _, size := range d.sizes {
		total += size
	}
	return total <= d.limit
}

// name of a file in the folder; ok is false for files elsewhere, and for the
// index of a write-ahead log, which is rebuilt after a power cut.
func (d *Disk) name(path string) (name string, ok bool) {
	if d == nil || filepath.Dir(path) != d.folder || strings.HasSuffix(path, "-shm") {
		return "", false
	}
	return filepath.Base(path), true
}

// Cut makes a folder as a power cut at a moment would have left it.
func (d *Disk) Cut(t testing.TB, moment int, chance *rand.Rand) (folder string) {
	t.Helper()
	d.mu.Lock()
	done := d.done[:moment]
	d.mu.Unlock()
	files, names := map[string]*content{}, newNames(chance)
	of := func(name string) *content {
		if files[name] == nil {
			files[name] = &content{chance: chance}
		}
		return files[name]
	}
	for _, op := range done {
		switch {
		case op.kind == settle && op.name == "":
			names.sync()
		case op.kind == create:
			names.change(op.name, true)
			files[op.name] = &content{chance: chance}
		case op.kind == remove:
			names.change(op.name, false)
		default:
			of(op.name).take(op)
		}
	}
	folder = t.TempDir()
	for name, file := range files {
		if names.has(name) {
			if err := os.WriteFile(filepath.Join(folder, name), file.left(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return folder
}

// content is one file: what is durable of it, and what may be.
type content struct {
	durable []byte
	pending []operation
	chance  *rand.Rand
}

func (c *content) take(op operation) {
	if op.kind != settle {
		c.pending = append(c.pending, op)
		return
	}
	for _, p := range c.pending {
		c.durable = apply(c.durable, p)
	}
	c.pending = nil
}

// left is what a power cut leaves. One time in four it keeps or loses all that
// was not synced; else each sector by itself.
func (c *content) left() []byte {
	left := append([]byte(nil), c.durable...)
	mode := c.chance.IntN(8)
	for _, op := range c.pending {
		for _, part := range parts(op) {
			if mode == 0 || mode > 1 && c.chance.IntN(2) == 0 {
				left = apply(left, part)
			}
		}
	}
	return left
}

// parts are the sectors of a write.
func parts(op operation) (all []operation) {
	if op.kind != write {
		return []operation{op}
	}
	for at, data := op.at, op.data; len(data) > 0; {
		n := min(int64(len(data)), sector-at%sector)
		all = append(all, operation{kind: write, at: at, data: data[:n]})
		at, data = at+n, data[n:]
	}
	return all
}

func apply(content []byte, op operation) []byte {
	if op.kind == truncate {
		return resized(content, op.at)
	}
	if end := op.at + int64(len(op.data)); end > int64(len(content)) {
		content = resized(content, end)
	}
	copy(content[op.at:], op.data)
	return content
}

func resized(content []byte, size int64) []byte {
	if size <= int64(len(content)) {
		return content[:size]
	}
	return append(content, make([]byte, size-int64(len(content)))...)
}

// names is the folder's list of names. A file that was there before is in it.
type names struct {
	durable map[string]bool
	pending map[string]bool
	chance  *rand.Rand
}

func newNames(chance *rand.Rand) *names {
	return &names{durable: map[string]bool{}, pending: map[string]bool{}, chance: chance}
}

func (n *names) change(name string, there bool) {
	if _, known := n.durable[name]; !known {
		n.durable[name] = !there
	}
	n.pending[name] = there
}

func (n *names) sync() {
	maps.Copy(n.durable, n.pending)
	clear(n.pending)
}

func (n *names) has(name string) bool {
	there, known := n.durable[name]
	if pending, changed := n.pending[name]; changed && n.chance.IntN(2) == 0 {
		return pending
	}
	return there || !known
}
