package sources

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"milaan/domain"
)

// The limits of an archive. Reports as text deflate to a tenth of their bytes, so a report
// that becomes more than a hundred times longer is an attack, as is an archive with
// thousands of entries.
const (
	mostEntries   = 1000
	inflatedTimes = 100
	inflatedAtAll = 1 << 20 // bytes that any archive may become
)

const archiveExtension = ".zip"

// reportExtensions are how the names of reports end. What a file really is, readers find
// out from its bytes.
var reportExtensions = []string{".csv", ".xlsx", ".xls", ".ods"}

// What is wrong with an archive, for the log.
var (
	errArchiveForm      = errors.New("the archive cannot be read")
	errArchiveEntries   = errors.New("the archive has too many entries")
	errArchiveReports   = errors.New("the archive has not exactly one report")
	errArchiveEncrypted = errors.New("the archive is encrypted")
	errArchiveLarge     = errors.New("the archive becomes too large")
)

// extensionOf returns how a name ends, in lower case, such as .csv; blank: it has no dot.
func extensionOf(name string) string { return strings.ToLower(path.Ext(name)) }

// isReport says whether a file may be a report, by its name alone.
func isReport(name string) bool { return slices.Contains(reportExtensions, extensionOf(name)) }

// isArchive says whether a file is an archive, by its name alone. A workbook is a zip file
// too, so the bytes do not tell.
func isArchive(name string) bool { return extensionOf(name) == archiveExtension }

// errArchiveOthers says that an archive has files, and none of them may be a report.
var errArchiveOthers = errors.New("the archive has other files than reports")

// unpack returns the only report in an archive, of at most limit bytes. Other entries, and
// archives in the archive, are not opened if there is one. Its errors have domain.ConnArchive, or
// domain.ConnPacked if nothing in it may be a report, the file, and no connector.
func unpack(name string, content []byte, limit int64) ([]byte, error) {
	report, err := unpackOnly(content, limit)
	if errors.Is(err, errArchiveOthers) {
		return nil, &domain.ConnectorError{Rule: domain.ConnPacked, File: domain.Shortened(name), Cause: err}
	}
	if err != nil {
		return nil, &domain.ConnectorError{Rule: domain.ConnArchive, File: domain.Shortened(name), Cause: err}
	}
	return report, nil
}

func unpackOnly(content []byte, limit int64) ([]byte, error) {
	if bytes.Count(content, []byte("PK\x01\x02")) > mostEntries {
		return nil, errArchiveEntries // before anything is made of each entry
	}
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, errArchiveForm
	}
	var report *zip.File
	for _, entry := range archive.File {
		switch {
		case !isReportEntry(entry.Name):
		case report != nil:
			return nil, errArchiveReports
		default:
			report = entry
		}
	}
	if report == nil {
		if holdsOthers(archive) {
			return nil, errArchiveOthers
		}
		return nil, errArchiveReports
	}
	return inflate(report, min(limit, inflatedBytes(int64(len(content)))))
}

// inflatedBytes returns how many bytes the report in an archive of the given number of bytes may have.
func inflatedBytes(packed int64) int64 { return inflatedAtAll + inflatedTimes*packed }

// isReportEntry says whether an entry of an archive may be a report. Programs of macOS add
// an entry with the same name for what they know about a file.
func isReportEntry(name string) bool {
	name = strings.ReplaceAll(name, `\`, "/")
	return isReport(path.Base(name)) && !strings.HasSuffix(name, "/") && !isAside(name)
}

// isAside says whether an entry is what macOS knows about another one, or about a folder.
func isAside(name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(name, "__MACOSX/") || strings.HasPrefix(base, "._") || base == ".DS_Store"
}

// inflate reads an entry of at most limit bytes. What the archive says of its size is not
// relied on.
func inflate(entry *zip.File, limit int64) ([]byte, error) {
	if entry.UncompressedSize64 > uint64(limit) {
		return nil, errArchiveLarge
	}
	report, err := startOf(entry, limit+1)
	if int64(len(report)) > limit {
		return nil, errArchiveLarge
	}
	return report, err
}

// startOf reads the first bytes of an entry, as many as most.
func startOf(entry *zip.File, most int64) ([]byte, error) {
	if entry.Flags&1 != 0 {
		return nil, errArchiveEncrypted
	}
	in, err := entry.Open()
	if err != nil {
		return nil, errArchiveForm
	}
	defer in.Close()
	start, err := io.ReadAll(io.LimitReader(in, most))
	if err != nil {
		err = errArchiveForm
	}
	return start, err
}
