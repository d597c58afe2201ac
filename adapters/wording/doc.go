// Package wording puts reasons and warnings into words: one catalogue per
// language. The domain knows codes and values alone.
package wording
