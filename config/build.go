package config

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"strings"
)

// Build tells which program this is.
type Build struct {
	Version   string // of the module; (unknown) if the compiler recorded none
	Revision  string // 12 digits of the commit, and "with changes" if files differed from it; blank if unknown
	Date      string // of the commit, as 2026-01-31 in UTC; blank if unknown
	GoVersion string
}

// ThisBuild is the Build that the compiler recorded in this program.
func ThisBuild() Build {
	info, _ := debug.ReadBuildInfo()
	return BuildOf(info)
}

// BuildOf is the Build in what the compiler recorded; info is nil if it recorded
// nothing.
func BuildOf(info *debug.BuildInfo) Build {
	b := Build{Version: "(unknown)", GoVersion: runtime.Version()}
	if info == nil {
		return b
	}
	b.Version = cmp.Or(info.Main.Version, b.Version)
	revision, changes := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			changes = " with changes"
		case s.Key == "vcs.time":
			b.Date, _, _ = strings.Cut(s.Value, "T")
		}
	}
	if revision != "" {
		b.Revision = revision + changes
	}
	return b
}
