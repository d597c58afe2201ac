package sources

import "strings"

// FindFolder finds a folder among some that are given by their parts, which a server separates so.
func FindFolder(of [][]string, separator, meant string) string {
	var folders []mailFolder
	for _, parts := range of {
		folders = append(folders, mailFolder{name: strings.Join(parts, separator), parts: parts})
	}
	return findFolder(folders, meant)
}
