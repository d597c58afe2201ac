package powercut

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// What stands in for the operating system's file system: the same but for the
// functions that change files. SQLite calls them with addresses, as C does.
var layer struct {
	once sync.Once
	err  error

	mu      sync.RWMutex
	disk    *Disk
	files   map[uintptr]*file                        // that are open, by address
	methods map[uintptr]*sqlite3.Tsqlite3_io_methods // what stands in for each kind of file
	below   sqlite3.Tsqlite3_vfs
	above   sqlite3.Tsqlite3_vfs
	folder  uintptr // opens a folder, to sync it
}

// file is an open file: the functions are those below.
type file struct {
	disk  *Disk
	name  string
	below sqlite3.Tsqlite3_io_methods
}

func watch(d *Disk) error {
	layer.once.Do(func() { layer.err = install() })
	if layer.err != nil {
		return layer.err
	}
	layer.mu.Lock()
	defer layer.mu.Unlock()
	if layer.disk != nil {
		return fmt.Errorf("%s is watched already", layer.disk.folder)
	}
	layer.disk = d
	return nil
}

func unwatch(d *Disk) {
	layer.mu.Lock()
	defer layer.mu.Unlock()
	if layer.disk == d {
		layer.disk = nil
	}
}

// install puts the layer above the file system that SQLite uses by default, for
// the rest of the process.
func install() error {
	tls := libc.NewTLS()
	defer tls.Close()
	below := sqlite3.Xsqlite3_vfs_find(tls, 0)
	if below == 0 {
		return errors.New("SQLite has no file system")
	}
	layer.files, layer.methods = map[uintptr]*file{}, map[uintptr]*sqlite3.Tsqlite3_io_methods{}
	layer.below = *at[sqlite3.Tsqlite3_vfs](below)
	layer.above = layer.below
	name, err := libc.CString("powercut")
	if err != nil {
		return err
	}
	layer.above.FpNext, layer.above.FzName = 0, name
	layer.above.FxOpen, layer.above.FxDelete = addressOf(openFile), addressOf(deleteFile)
	if rc := sqlite3.Xsqlite3_vfs_register(tls, uintptr(unsafe.Pointer(&layer.above)), 1); rc != sqlite3.SQLITE_OK {
		return fmt.Errorf("register a file system with SQLite: %d", rc)
	}
	call, err := libc.CString("openDirectory")
	if err != nil {
		return err
	}
	layer.folder = function[func(*libc.TLS, uintptr, uintptr) uintptr](layer.below.FxGetSystemCall)(tls, below, call)
	if rc := function[func(*libc.TLS, uintptr, uintptr, uintptr) int32](layer.below.FxSetSystemCall)(tls, below, call, addressOf(openFolder)); rc != sqlite3.SQLITE_OK {
		return fmt.Errorf("watch SQLite's folders: %d", rc)
	}
	return nil
}

// at is what stands at an address.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// function is the function at an address, and addressOf that of a function, which
// must not be a closure.
func function[F any](address uintptr) F { return *(*F)(unsafe.Pointer(&address)) }

func addressOf[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

func watched(path string) (*Disk, string, bool) {
	layer.mu.RLock()
	defer layer.mu.RUnlock()
	name, ok := layer.disk.name(path)
	return layer.disk, name, ok
}

func opened(address uintptr) *file {
	layer.mu.RLock()
	defer layer.mu.RUnlock()
	return layer.files[address]
}

func openFile(tls *libc.TLS, vfs, path, address uintptr, flags int32, outFlags uintptr) int32 {
	f, fresh := &file{}, false
	if path != 0 { // else it is a temporary file
		text := libc.GoString(path)
		var known bool
		if f.disk, f.name, known = watched(text); known {
			_, err := os.Stat(text)
			fresh = err != nil
		}
	}
	rc := function[func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32](layer.below.FxOpen)(tls, vfs, path, address, flags, outFlags)
	if rc != sqlite3.SQLITE_OK || f.name == "" {
		return rc
	}
	if fresh {
		f.disk.note(operation{kind: create, name: f.name})
	}
	methods := &at[sqlite3.Tsqlite3_file](address).FpMethods
	f.below = *at[sqlite3.Tsqlite3_io_methods](*methods)
	layer.mu.Lock()
	defer layer.mu.Unlock()
	layer.files[address] = f
	above := layer.methods[*methods]
	if above == nil {
		copied := f.below
		above = &copied
		above.FxWrite, above.FxTruncate, above.FxSync, above.FxClose = addressOf(writeFile), addressOf(truncateFile), addressOf(syncFile), addressOf(closeFile)
		layer.methods[*methods] = above
	}
	*methods = uintptr(unsafe.Pointer(above))
	return rc
}

func deleteFile(tls *libc.TLS, vfs, path uintptr, syncFolder int32) int32 {
	rc := function[func(*libc.TLS, uintptr, uintptr, int32) int32](layer.below.FxDelete)(tls, vfs, path, syncFolder)
	if disk, name, known := watched(libc.GoString(path)); known && rc == sqlite3.SQLITE_OK {
		disk.note(operation{kind: remove, name: name})
	}
	return rc
}

// openFolder is called before a folder is synced, and only then.
func openFolder(tls *libc.TLS, path, descriptor uintptr) int32 {
	rc := function[func(*libc.TLS, uintptr, uintptr) int32](layer.folder)(tls, path, descriptor)
	if disk, _, known := watched(libc.GoString(path)); known && rc == sqlite3.SQLITE_OK {
		disk.note(operation{kind: settle})
	}
	return rc
}

func writeFile(tls *libc.TLS, address, data uintptr, size int32, offset int64) int32 {
	f := opened(address)
	if !f.disk.room(f.name, offset+int64(size)) {
		return sqlite3.SQLITE_FULL
	}
	rc := function[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](f.below.FxWrite)(tls, address, data, size, offset)
	if rc == sqlite3.SQLITE_OK {
		written := append([]byte(nil), unsafe.Slice(at[byte](data), size)...)
		f.disk.note(operation{kind: write, name: f.name, at: offset, data: written})
	}
	return rc
}

func truncateFile(tls *libc.TLS, address uintptr, size int64) int32 {
	f := opened(address)
	rc := function[func(*libc.TLS, uintptr, int64) int32](f.below.FxTruncate)(tls, address, size)
	if rc == sqlite3.SQLITE_OK {
		f.disk.note(operation{kind: truncate, name: f.name, at: size})
	}
	return rc
}

// syncFile notes the sync at its beginning: what another thread writes meanwhile
// may not be part of it.
func syncFile(tls *libc.TLS, address uintptr, flags int32) int32 {
	f := opened(address)
	f.disk.note(operation{kind: settle, name: f.name})
	return function[func(*libc.TLS, uintptr, int32) int32](f.below.FxSync)(tls, address, flags)
}

func closeFile(tls *libc.TLS, address uintptr) int32 {
	f := opened(address)
	layer.mu.Lock()
	delete(layer.files, address)
	layer.mu.Unlock()
	return function[func(*libc.TLS, uintptr) int32](f.below.FxClose)(tls, address)
}
