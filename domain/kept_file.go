package domain

import "time"

// The limits of files that are kept for the autopilot.
const (
	MaxKeptFiles = 200                 // of one connection
	MaxKeptBytes = 64 << 20            // of one connection, as they were uploaded
	MaxKeptFile  = 25 << 20            // bytes of one
	KeptFileSpan = 60 * 24 * time.Hour // then it is deleted
)

// KeptFile is a report that a person has uploaded for the autopilot. Its content and its
// name are sealed in the database until it is deleted, after KeptFileSpan or on request.
type KeptFile struct {
	ID           string // UUID
	AccountID    string
	ConnectionID string
	SourceID     string
	Name         string // of the file, without folders, at most MaxFileName bytes
	Bytes        int64
	At           time.Time
}

// MaxFileName is how many bytes the name of a kept file may have.
const MaxFileName = 200
