package packaging_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"milaan/adapters/cli"
	"milaan/adapters/guide"
	"milaan/config"
	"milaan/tests/needed"
	"milaan/tests/only"
)

// made is where the release has the manual and the completions before it packs them.
const made = ".packaging/made/"

// packed is a file that an archive or a package has.
type packed struct {
	Src, Dst, Type, Packager string
	FileInfo                 struct{ Mode fs.FileMode } `yaml:"file_info"`
}

// releasing is what the tests need to know of goreleaser.yaml.
type releasing struct {
	Builds []struct {
		Goos, Goarch, Env, Flags, Ldflags []string
	}
	Archives []struct {
		NameTemplate    string `yaml:"name_template"`
		WrapInDirectory string `yaml:"wrap_in_directory"`
		Files           []packed
	}
	Nfpms []struct {
		FileNameTemplate string `yaml:"file_name_template"`
		Formats          []string
		Bindir           string
		Contents         []packed
		Scripts          map[string]string
	}
}

func release(t *testing.T) (r releasing) {
	t.Helper()
	require.NoError(t, yaml.Unmarshal([]byte(read(t, "goreleaser.yaml")), &r))
	require.Len(t, r.Builds, 1)
	require.Len(t, r.Archives, 1)
	require.Len(t, r.Nfpms, 1)
	return r
}

// TestWhatAReleasePacksIsThere holds that each file exists, the manual has each command, and the examples
// of the README find their files in an archive.
func TestWhatAReleasePacksIsThere(t *testing.T) {
	r := release(t)
	folder := t.TempDir()
	t.Setenv("SOURCE_DATE_EPOCH", "1769817600")
	succeed(t, "go", "run", "../../adapters/cli/manual", folder)
	page := only.Value(os.ReadFile(filepath.Join(folder, "man/milaan-webhook-set.1")))(t)
	require.Contains(t, string(page), `.TH "MILAAN-WEBHOOK-SET" "1" "Jan 2026" "Milaan" "Milaan"`)
	require.Contains(t, string(page), "--email")
	commands(cli.New(cli.Deps{}), func(path string) {
		require.FileExists(t, filepath.Join(folder, "man", strings.ReplaceAll(path, " ", "-")+".1"))
	})

	all := append(r.Archives[0].Files, r.Nfpms[0].Contents...)
	for _, script := range r.Nfpms[0].Scripts {
		all = append(all, packed{Src: script})
	}
	for _, file := range all {
		pattern := filepath.Join(root, file.Src)
		if beside, is := strings.CutPrefix(file.Src, made); is {
			pattern = filepath.Join(folder, strings.TrimSuffix(beside, ".gz"))
		}
		require.NotEmpty(t, only.Value(filepath.Glob(pattern))(t), file.Src)
	}

	inArchive := func(name string) bool {
		for _, file := range r.Archives[0].Files {
			matches, _ := filepath.Match(file.Src, name)
			if matches && file.Dst == filepath.Dir(name) {
				return true
			}
		}
		return false
	}
	readme := only.Value(os.ReadFile(filepath.Join(root, "README.md")))(t)
	examples := regexp.MustCompile(`(couriers/testdata|tests/month)/[\w./-]*[*\w]`).FindAllString(string(readme), -1)
	require.NotEmpty(t, examples)
	for _, example := range examples {
		found, _ := filepath.Glob(filepath.Join(root, example))
		require.NotEmpty(t, found, example)
		for _, file := range found {
			if info, err := os.Stat(file); err == nil && !info.IsDir() {
				name := only.Value(filepath.Rel(root, file))(t)
				require.True(t, inArchive(name), "the README reads %s, and archives do not have it", name)
			}
		}
	}
}

// commands calls with the words of each command that people see.
func commands(c *cobra.Command, with func(path string)) {
	with(c.CommandPath())
	for _, below := range c.Commands() {
		if below.IsAvailableCommand() {
			commands(below, with)
		}
	}
}

// TestTheGuideInstallsWhatIsReleased holds that the chapter names each archive and package, and that the
// README downloads one of them.
func TestTheGuideInstallsWhatIsReleased(t *testing.T) {
	r := release(t)
	chapter, _ := guide.Find("install")
	readme := only.Value(os.ReadFile(filepath.Join(root, "README.md")))(t)
	named := func(template, system, processor string) string {
		return strings.NewReplacer("{{ .Os }}", system, "{{ .Arch }}", processor).Replace(template)
	}
	var archives []string
	for _, system := range r.Builds[0].Goos {
		for _, processor := range r.Builds[0].Goarch {
			ending := ".tar.gz"
			if system == "windows" {
				ending = ".zip"
			}
			archives = append(archives, named(r.Archives[0].NameTemplate, system, processor)+ending)
		}
	}
	for _, name := range archives {
		require.Contains(t, chapter.Markdown(), "`"+name+"`")
	}
	for _, text := range []string{chapter.Markdown(), string(readme)} {
		downloaded := regexp.MustCompile(`latest/download/(milaan[\w.]+)" \| tar -xz\s+cd (\w+) && \./milaan\n`).FindStringSubmatch(text)
		require.NotNil(t, downloaded)
		require.Contains(t, archives, downloaded[1])
		require.Equal(t, r.Archives[0].WrapInDirectory, downloaded[2])
	}
	require.Contains(t, chapter.Markdown(), "latest/download/"+named(r.Nfpms[0].FileNameTemplate, "linux", "amd64")+".deb")
	for _, file := range r.Nfpms[0].Contents {
		if strings.HasPrefix(file.Dst, "/etc/") {
			require.Contains(t, chapter.Markdown(), "`"+file.Dst+"`")
		}
	}
}

// unit returns the values of a systemd unit by section and name, the last one of each.
func unit(text string) map[string]string {
	values, section := map[string]string{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(line, "[]") + "."
		} else if name, value, is := strings.Cut(line, "="); is && !strings.HasPrefix(line, "#") {
			values[section+name] = value
		}
	}
	return values
}

// TestTheUnitFitsThePackage holds that unit, user, folders, settings, milaanctl and the guide name the same.
func TestTheUnitFitsThePackage(t *testing.T) {
	r := release(t)
	at := map[string]packed{}
	for _, file := range r.Nfpms[0].Contents {
		require.NotContains(t, at, file.Packager+file.Dst)
		at[file.Packager+file.Dst] = file
	}
	u := unit(read(t, "linux/milaan.service"))
	user, folder := u["Service.User"], "/var/lib/"+u["Service.StateDirectory"]
	program := r.Nfpms[0].Bindir + "/milaan"
	settings := strings.TrimPrefix(u["Service.EnvironmentFile"], "-")

	require.Equal(t, program+" serve", u["Service.ExecStart"])
	require.Equal(t, user, u["Service.Group"])
	require.Equal(t, "0700", u["Service.StateDirectoryMode"])
	require.Equal(t, "MILAAN_DATA_DIR="+folder, u["Service.Environment"])
	require.Contains(t, read(t, "linux/sysusers.conf"), "\nu "+user+" - \"Milaan\" "+folder+"\n")
	require.Contains(t, at, "/usr/lib/sysusers.d/milaan.conf")
	require.Contains(t, at, "/usr/lib/systemd/system/milaan.service")
	require.Equal(t, "config|noreplace", at[settings].Type)
	require.Equal(t, fs.FileMode(0o600), at[settings].FileInfo.Mode, "it may have passwords")
	require.Equal(t, fs.FileMode(0o755), at["/usr/sbin/milaanctl"].FileInfo.Mode)

	control := read(t, "linux/milaanctl")
	for _, same := range []string{"--uid=" + user, "--gid=" + user, "--setenv=MILAAN_DATA_DIR=" + folder,
		"--property=EnvironmentFile=" + u["Service.EnvironmentFile"], "-- " + program + ` "$@"`, "--property=UMask=" + u["Service.UMask"]} {
		require.Contains(t, control, same)
	}

	require.Equal(t, "notify", u["Service.Type"])
	require.NotContains(t, u, "Service.TimeoutStopSec", "the service says how long a stop may take")
	chapter, _ := guide.Find("install")
	require.Contains(t, chapter.Markdown(), "`"+folder+"`")
}

// TestTheUnitIsHardened has systemd look for mistakes, and for how much of the machine the service can reach.
func TestTheUnitIsHardened(t *testing.T) {
	analyze := needed.Program(t, "systemd-analyze")
	file := filepath.Join(t.TempDir(), "milaan.service")
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(read(t, "linux/milaan.service"), "/usr/bin/milaan serve", "/bin/true", 1)), 0o600))
	require.Empty(t, succeed(t, analyze, "verify", "--man=no", file))
	succeed(t, analyze, "security", "--offline=true", "--threshold=15", file) // in tenths; 100 is a service without any limit
}

// TestTheSettingsFile holds that the packaged settings are ones that the service takes once their mark of a
// comment is removed.
func TestTheSettingsFile(t *testing.T) {
	given := regexp.MustCompile(`(?m)^#(MILAAN_\w+=.*)$`).FindAllStringSubmatch(read(t, "linux/milaan.env"), -1)
	require.NotEmpty(t, given)
	var environment []string
	for _, line := range given {
		environment = append(environment, line[1])
	}
	require.Empty(t, only.Value(config.Load(environment))(t).Warnings)
}

// TestScriptsOfPackages holds what they tell systemd. Programs that write down how they are called stand for it.
func TestScriptsOfPackages(t *testing.T) {
	shell := needed.Program(t, "sh")
	scripts := release(t).Nfpms[0].Scripts
	called := func(script string, running bool, args ...string) string {
		folder := t.TempDir()
		log := filepath.Join(folder, "log")
		for _, program := range []string{"systemctl", "systemd-sysusers"} {
			text := "#!/bin/sh\necho " + program + ` "$@" >>` + log + "\n"
			require.NoError(t, os.WriteFile(filepath.Join(folder, program), []byte(text), 0o700)) //nolint:gosec // a program
		}
		system := filepath.Join(folder, "nowhere")
		if running {
			system = folder
		}
		text := strings.ReplaceAll(read(t, strings.TrimPrefix(scripts[script], ".packaging/")), "/run/systemd/system", system)
		command := exec.Command(shell, append([]string{"-s", "--"}, args...)...)
		command.Stdin, command.Env = strings.NewReader(text), []string{"PATH=" + folder}
		output, err := command.CombinedOutput()
		require.NoError(t, err, "%s", output)
		calls, _ := os.ReadFile(log)
		return string(calls)
	}
	const restarted = "systemd-sysusers milaan.conf\nsystemctl daemon-reload\nsystemctl try-restart milaan.service\n"
	require.Equal(t, restarted, called("postinstall", true, "configure"), "what does not run is not started")
	require.Equal(t, restarted, called("postinstall", true, "configure", "1.0.0"))
	require.Equal(t, "systemd-sysusers milaan.conf\n", called("postinstall", false, "configure"))
	require.Empty(t, called("preremove", true, "upgrade", "1.1.0"), "Debian's upgrade")
	require.Empty(t, called("preremove", true, "1"), "Fedora's upgrade")
	const removed = "systemctl disable --now milaan.service\n"
	require.Equal(t, removed, called("preremove", true, "remove"))
	require.Equal(t, removed, called("preremove", true, "0"))
	require.Empty(t, called("preremove", false, "remove"))
	require.Equal(t, "systemctl daemon-reload\n", called("postremove", true, "remove"))
	require.Empty(t, called("postremove", false, "purge"))
}

// TestAReleaseSaysWhichItIs builds a small program, which has the code of ours that says it, from a tagged
// commit with the flags of releases.
func TestAReleaseSaysWhichItIs(t *testing.T) {
	git := needed.Program(t, "git")
	build := release(t).Builds[0]
	folder := t.TempDir()
	stamps := only.Value(os.ReadFile(filepath.Join(root, "config/build.go")))(t)
	for name, text := range map[string]string{
		"go.mod":          "module milaan\n\ngo 1.26.0\n",
		"main.go":         "package main\n\nimport \"milaan/config\"\n\nfunc main() {\n\tb := config.ThisBuild()\n\tprint(b.Version, \" \", b.Revision, \" \", b.Date)\n}\n",
		"config/build.go": string(stamps),
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	environment := append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a", "GIT_COMMITTER_DATE=2026-01-31T18:30:00Z")
	environment = append(environment, build.Env...)
	run := func(program string, args ...string) string {
		command := exec.Command(program, args...)
		command.Dir, command.Env = folder, environment
		output, err := command.CombinedOutput()
		require.NoError(t, err, "%s", output)
		return string(bytes.TrimSpace(output))
	}
	run(git, "init", "-q")
	run(git, "add", ".")
	run(git, "commit", "-q", "-m", "all")
	run(git, "tag", "v1.2.3")
	program := filepath.Join(t.TempDir(), "program")
	run("go", append(append([]string{"build", "-o", program}, build.Flags...), "-ldflags", strings.Join(build.Ldflags, " "), ".")...)
	require.Equal(t, "v1.2.3 "+run(git, "rev-parse", "--short=12", "HEAD")+" 2026-01-31", run(program))
}
