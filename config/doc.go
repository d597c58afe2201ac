// Package config owns the settings: what can be set, what holds when nothing
// is set, how the environment is read, and which settings are refused. It
// imports nothing of ours. Each part of the program is given its own section,
// and nobody reads the environment in another way.
package config
