package config

import (
	"cmp"
	"runtime"
	"runtime/debug"
)

// Build is which program this is.
type Build struct {
	Version   string // of the module; (unknown) if the compiler did not write it down
	Revision  string // 12 digits of the commit, and whether more was changed; blank if unknown
	GoVersion string
}

// ThisBuild reads what the compiler wrote into the program.
func ThisBuild() Build {
	info, _ := debug.ReadBuildInfo()
	return BuildOf(info)
}

// BuildOf reads what the compiler wrote; nil if it did not.
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
		}
	}
	if revision != "" {
		b.Revision = revision + changes
	}
	return b
}
