package domain

import "time"

// MaxIgnoredFiles is how many files of one connection people may have ignored at a time.
const MaxIgnoredFiles = 200

// IgnoredFile is a file of a report source that a person has said to ignore: no pass compares it.
// It is this version of the file alone, so a corrected one with the same name is compared. Its
// name, version, time and sum are sealed in the database.
type IgnoredFile struct {
	ID           string // UUID
	AccountID    string
	ConnectionID string
	SourceID     string
	Name         string
	Version      string
	Modified     time.Time
	Sum          [32]byte // as SeenFile has it
	At           time.Time
}
