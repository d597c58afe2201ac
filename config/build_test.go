package config

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBuildOf(t *testing.T) {
	goes := runtime.Version()
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef"}
	modified := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	at := debug.BuildSetting{Key: "vcs.time", Value: "2026-01-31T18:30:00Z"}
	of := func(settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: "v1.2.0"}, Settings: settings}
	}
	require.Equal(t, Build{"(unknown)", "", "", goes}, BuildOf(nil))
	require.Equal(t, Build{"(unknown)", "", "", goes}, BuildOf(&debug.BuildInfo{}))
	require.Equal(t, Build{"v1.2.0", "", "", goes}, BuildOf(of()))
	require.Equal(t, Build{"v1.2.0", "0123456789ab", "2026-01-31", goes}, BuildOf(of(revision, at)))
	require.Equal(t, Build{"v1.2.0", "0123456789ab with changes", "", goes}, BuildOf(of(modified, revision)))
	require.NotEmpty(t, ThisBuild().Version)
}
