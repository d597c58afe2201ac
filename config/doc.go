// Package config owns the settings: which there are, what their defaults are, how they
// are read from the environment, and which values are refused. It imports no other
// package of the program. Each part of the program is given its own section and does
// not read the environment itself.
package config
