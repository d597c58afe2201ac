package connecting_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"milaan/adapters/outbound"
	"milaan/adapters/sources"
	"milaan/adapters/storefront/shops"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/tests/connecting"
	"milaan/tests/fakes/s3"
	"milaan/tests/fakes/sftp"
)

// TestMain runs more tests at once than there are cores, because most wait for servers that
// answer nothing. It looks for goroutines that are left. The library of the mail server keeps
// one that waits for a lock, if a client is gone in the middle of a mail.
func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "12")
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/emersion/go-imap/v2/imapserver.newResponseEncoder"))
}

func TestSourceSFTP(t *testing.T) {
	t.Parallel()
	connecting.Sources(t, connecting.Kind{Start: startSFTP})
}

func startSFTP(t testing.TB) *connecting.Place {
	server := sftp.New(t, sftp.Options{})
	s := server.Settings()
	server.Put("reports", sftp.File{Folder: true})
	s["folder"] = "/reports"
	return &connecting.Place{
		Source: domain.ReportSource{Connector: "sftp", Settings: s},
		Put: func(name string, content []byte, modified time.Time) {
			server.Put("reports/"+name, sftp.File{Content: content, Modified: modified})
		},
		Remove:  func(name string) { server.Remove("reports/" + name) },
		Network: server.Unruly,
		Wrong: map[string]domain.Settings{
			"the password": connecting.With(s, "password", "wrong"),
			"the user":     connecting.With(s, "user", "somebody"),
		},
		Missing:     connecting.With(s, "folder", "/elsewhere"),
		At:          func(host string) domain.Settings { return connecting.With(s, "host", host) },
		HostSetting: "host",
	}
}

func TestSourceS3(t *testing.T) {
	t.Parallel()
	connecting.Sources(t, connecting.Kind{Start: startS3})
}

func startS3(t testing.TB) *connecting.Place {
	server := s3.New(t)
	s := server.Settings()
	s["prefix"] = "reports/"
	return &connecting.Place{
		Source: domain.ReportSource{Connector: "s3", Settings: s},
		Put: func(name string, content []byte, modified time.Time) {
			server.Put(t, "reports/"+name, content, modified)
		},
		Remove:  func(name string) { server.Remove(t, "reports/"+name) },
		Settled: true,
		Network: server.Unruly,
		Wrong: map[string]domain.Settings{
			"the access key": connecting.With(s, "access_key", "AKIDOTHER"),
			"the secret key": connecting.With(s, "secret_key", "wrong"),
		},
		Missing:     connecting.With(s, "bucket", "elsewhere"),
		At:          func(host string) domain.Settings { return connecting.With(s, "endpoint", "https://"+host) },
		HostSetting: "endpoint",
	}
}

func TestSourceFolder(t *testing.T) {
	t.Parallel()
	connecting.Sources(t, connecting.Kind{Start: startFolder})
}

const account = "0b6e7a0c-5f0f-4d53-a4b4-6d1e6f3f1f0e"

func startFolder(t testing.TB) *connecting.Place {
	operators := t.TempDir()
	folder := filepath.Join(operators, account, "reports")
	require.NoError(t, os.MkdirAll(folder, 0o755))
	return &connecting.Place{
		Source:    domain.ReportSource{Connector: "folder", Settings: domain.Settings{"folder": "reports"}},
		Params:    sources.Params{Settings: sources.Settings{Folder: operators}},
		AccountID: account,
		Put: func(name string, content []byte, modified time.Time) {
			file := filepath.Join(folder, name)
			require.NoError(t, os.WriteFile(file, content, 0o644))
			require.NoError(t, os.Chtimes(file, modified, modified))
		},
		Remove:  func(name string) { require.NoError(t, os.Remove(filepath.Join(folder, name))) },
		Missing: domain.Settings{"folder": "elsewhere"},
	}
}

// Every setting that a person can be asked for has a label and a hint, in every language.
func TestEverySettingHasWords(t *testing.T) {
	catalogue := registry(func(p *sources.Params) { p.Settings.Folder = t.TempDir() }).Catalogue()
	require.GreaterOrEqual(t, len(catalogue), 6)
	shops := shops.New(shops.Settings{AllowLoopback: true}, outbound.New(outbound.Settings{})).Catalogue()
	languages := wording.NewLanguages()
	english := languages.Settings("en")
	for _, language := range languages.All() {
		words := languages.Settings(language.Code)
		for _, connector := range append(catalogue, shops...) {
			require.NotEqual(t, string(connector.ID), words.Connector(connector.ID))
			for _, s := range connector.Settings {
				label, hint := words.Setting(connector.ID, s.Name)
				require.NotEqual(t, s.Name, label, "%s of %s in %s has no label", s.Name, connector.ID, language.Code)
				require.NotEmpty(t, hint, "%s of %s in %s has no hint", s.Name, connector.ID, language.Code)
				_, own := english.Setting(connector.ID, s.Name)
				require.True(t, language.Code == "en" || hint != own, "the hint of %s of %s is not translated", s.Name, connector.ID)
			}
		}
	}
}
