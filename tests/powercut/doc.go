// Package powercut is a disk that loses what was not synced. It stands between
// SQLite and the operating system, notes every write, and makes folders as a
// power cut would have left them: what was synced, and of the rest a part by
// chance, in sectors.
package powercut
