package sheet

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/flate"
)

// The limits of an archive. Most sheets have two to ten times the bytes of the text in
// them, and are deflated to a tenth of their bytes. What is inflated is bounded by both,
// so that a few bytes cannot become gigabytes, and is refused before it is inflated if the
// archive says how much it is. There may be an element for every two bytes of text, and
// four million more, as they take most of the time. 50,000 rows of 79 texts in their cells
// have 12 million; blank cells that deflate to 1 MB could be a hundred million.
const (
	mostEntries    = 20_000
	inflatedOfText = 16
	inflatedOfFile = 100
	inflatedAtAll  = 16 << 20
	fewTags        = 4 << 20
	tagsOfText     = 2       // bytes of text for each
	tagsAtOnce     = 1 << 14 // are taken from the counter at once
)

// mostParts is how many sheets a workbook may have.
const mostParts = 1024

// mostNamed is how many bytes the names may have that are kept of one kind: of the sheets, of what parts are related to, or of hidden
// styles. A thousand sheets whose names are as long as spreadsheet programs take them have a tenth of it. Nobody waits for memory
// for them, so they must be few.
const mostNamed = 1 << 20

// names counts the bytes of names that are kept.
type names int

// add counts one. It is false if there are too many.
func (n *names) add(bytes int) bool {
	*n += names(bytes)
	return *n <= mostNamed
}

// archive is a zip file in memory.
type archive struct {
	files map[string]*zip.File // by path in lower case
	most  int64                // how many bytes a part may have when inflated
	tags  int64                // how many elements may be opened before more are taken from the counter

	claim    func(bytes int) error
	taken    *atomic.Int64 // elements that workbooks have taken
	mostTags int64         // how many they may take

	inflated     *atomic.Int64 // bytes of all parts that have been read, also of other archives
	mostInflated int64         // how many these may be

	// Memory of the part that is being read, which the next one uses again.
	buffer   []byte
	pieces   [aheadPieces][]byte
	inflater io.ReadCloser
}

// isZip says that a file begins as a zip file does that has entries.
func isZip(content []byte) bool { return bytes.HasPrefix(content, []byte("PK\x03\x04")) }

// openZip opens the workbook in a zip file, or returns errOther if there is none.
func openZip(content []byte, l Limits) (Workbook, error) {
	most := l.Text
	a, err := openArchive(content, most)
	if err != nil {
		return nil, err
	}
	a.claim = l.Claim
	if l.Elements != nil {
		a.taken = l.Elements
	}
	if l.Inflated != nil {
		a.inflated, a.mostInflated = l.Inflated, 2*mostInflated(max(l.Files, int64(len(content))), most)
	}
	if book, err := openODS(a, most); !errors.Is(err, errOther) {
		return book, err
	}
	book, err := openXLSX(a, most)
	if again, is := l.Again.(*xlsx); is && err == nil && again.textPart == "" {
		book.texts, book.textPart = again.texts, ""
	}
	return book, err
}

// mostInflated is how many bytes files of the given number of bytes may have when they are inflated.
func mostInflated(files, mostText int64) int64 {
	return inflatedAtAll + min(files*inflatedOfFile, mostText*inflatedOfText)
}

// openArchive reads the directory of a zip file, for texts of at most the given number of bytes.
func openArchive(content []byte, most int64) (*archive, error) {
	if bytes.Count(content, []byte("PK\x01\x02")) > mostEntries {
		return nil, ErrLarge // before anything is made of each entry
	}
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, brokenBy(err)
	}
	inflated := mostInflated(int64(len(content)), most)
	a := &archive{files: make(map[string]*zip.File, len(z.File)), most: inflated, taken: new(atomic.Int64),
		mostTags: fewTags + most/tagsOfText, inflated: new(atomic.Int64), mostInflated: 2 * inflated}
	z.RegisterDecompressor(zip.Deflate, a.inflate)
	for _, f := range z.File {
		name := partName(f.Name)
		if _, twice := a.files[name]; twice && !strings.HasSuffix(name, "/") {
			return nil, fmt.Errorf("%w: two parts have one name", ErrBroken)
		}
		a.files[name] = f
	}
	return a, nil
}

// inflate inflates what is deflated in a third less time than the standard library.
func (a *archive) inflate(from io.Reader) io.ReadCloser {
	if a.inflater == nil {
		a.inflater = flate.NewReader(from)
	} else {
		_ = a.inflater.(flate.Resetter).Reset(from, nil) // of another part, which is closed; it has no error
	}
	return a.inflater
}

// takeTags takes further elements from the counter. It is false if there are no more.
func (a *archive) takeTags() bool {
	a.tags = tagsAtOnce
	return a.taken.Add(tagsAtOnce) <= a.mostTags
}

// partName is a name of a part in the form in which two are compared: / between folders,
// none at the beginning, and in lower case.
func partName(name string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ToLower(strings.ReplaceAll(name, `\`, "/"))), "/")
}

func (a *archive) has(name string) bool { return a.files[name] != nil }

// open begins to inflate a part. It returns ErrBroken if there is none.
func (a *archive) open(name string) (*part, error) {
	f := a.files[name]
	switch {
	case f == nil:
		return nil, fmt.Errorf("%w: a part is missing", ErrBroken)
	case f.Flags&1 != 0:
		return nil, ErrPassword
	case f.UncompressedSize64 > uint64(a.most):
		return nil, ErrLarge
	}
	in, err := f.Open()
	if err != nil {
		return nil, brokenBy(err)
	}
	p := &part{archive: a, in: in, size: int64(f.UncompressedSize64)}
	if p.size > 2*aheadBytes {
		p.ahead = readAhead(inflating{p}, &a.pieces)
	}
	return p, nil
}

// part is a part of an archive that is being inflated. Only one of an archive may be, at
// a time.
type part struct {
	archive *archive
	in      io.ReadCloser
	size    int64  // bytes of the part as the archive states them; no more are read
	ahead   *ahead // nil for a short part
}

// Read fills io.Reader. Its errors are those of a Workbook, and io.EOF once the part was
// read to its end and has the sum that the archive states.
func (p *part) Read(into []byte) (int, error) {
	if p.ahead != nil {
		return p.ahead.Read(into)
	}
	return inflating{p}.Read(into)
}

// Close ends the inflating.
func (p *part) Close() {
	if p.ahead != nil {
		p.ahead.Close()
	}
	_ = p.in.Close() // there is nothing to be lost
}

// inflating inflates a part where it is called.
type inflating struct{ *part }

func (p inflating) Read(into []byte) (int, error) {
	left := p.archive.mostInflated - p.archive.inflated.Load()
	if left <= 0 {
		return 0, ErrLarge
	}
	n, err := p.in.Read(into[:min(int64(len(into)), left)])
	p.archive.inflated.Add(int64(n))
	if err != nil && !errors.Is(err, io.EOF) {
		err = brokenBy(err)
	}
	return n, err
}

func brokenBy(cause error) error { return fmt.Errorf("%w: %w", ErrBroken, cause) }
