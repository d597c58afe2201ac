// Package zips makes zip files.
package zips

import (
	"archive/zip"
	"bytes"
	"io"
)

// Of is a zip file of files, each a name and then its text.
func Of(files ...string) []byte {
	var all bytes.Buffer
	z := zip.NewWriter(&all)
	for i := 0; i < len(files); i += 2 {
		file, _ := z.Create(files[i]) // nothing fails in memory
		_, _ = io.WriteString(file, files[i+1])
	}
	_ = z.Close()
	return all.Bytes()
}

// OfAny is a zip file of texts by their names, in any order.
func OfAny(texts map[string]string) []byte {
	var files []string
	for name, text := range texts {
		files = append(files, name, text)
	}
	return Of(files...)
}
