package processes_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"milaan/tests/needed"
	"milaan/tests/only"
)

// packagedBefore is the commit of a program that had packages and a database of version 22.
const packagedBefore = "1cb756f96aef2669e1afd74b0fe37a1dd0c8a1f2"

// nfpm makes packages, in the version that the releasing program has in it.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.2"

// A package of an earlier program is installed on a machine that has nothing else, serves with data, and is
// upgraded to today's while clients call. Between the two services connections fail, as the guide says; a request that
// has begun is answered, one that is sent again under its key is one run, and nothing is lost or told twice. Backups
// from before and after the upgrade are restored elsewhere by today's program, and are held.
func TestUpgradingPackages(t *testing.T) {
	if size(0, 0, 1) == 0 {
		t.Skip("NOT TESTED: set MILAAN_SOAK=1 for packages of an earlier program and of today's, which take a minute to build")
	}
	if os.Geteuid() != 0 {
		t.Skip("NOT TESTED: only root may install packages")
	}
	m := newMachine(t)
	earlier, sources := builtFrom(t, packagedBefore)
	m.install(t, packageOf(t, sources, earlier, "1.0.0"))
	require.NoDirExists(t, m.data, "the package starts nothing")

	// The settings are an operator's own: an upgrade must keep them.
	endpoint, address := newReceiver(t), freeAddress(t)
	m.set(t, "MILAAN_ADDR="+address, toThisMachine)
	r := m.launch(t)
	r.awaitReady(t)
	clients := make([]account, 8)
	for i := range clients {
		email := fmt.Sprintf("shop-%d@shop.example", i)
		m.milaan(t, "account", "create", "--email", email, "--plan", "enterprise")
		printed := strings.Split(strings.TrimSpace(m.milaan(t, "session", "--email", email)), "\n")
		token := printed[len(printed)-1]
		m.hide("a session token", token)
		clients[i] = account{id: token, key: keyOf(t, r.issueKey(t, token))}
		m.hide("an API key", clients[i].key)
		m.milaan(t, "webhook", "set", "--email", email, "--url", endpoint.url+"/ok/")
	}
	version := func() int { return m.count(t, "SELECT MAX(version_id) FROM goose_db_version") }
	first := version()

	var mu sync.Mutex
	stored := map[string]string{} // brands by the ids that answers gave
	runs := func(round int) {
		parallel(len(clients), len(clients)*perRound, func(i int) {
			k := keyed{who: clients[i%len(clients)], brand: fmt.Sprintf("%d-%d", round, i)}
			id, _, err := k.insist(t, func() *replica { return r })
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			stored[id] = k.brand
		})
	}
	runs(0)
	m.milaan(t, "backup", "/var/lib/milaan/before.tar")
	known := maps.Clone(stored)

	// One client looks all the time, others send runs from when the service is told to stop, and one is in the midst
	// of sending its own then.
	looks, upgraded, looking := map[string]int{}, make(chan struct{}), make(chan struct{})
	go func() {
		defer close(looking)
		for !closed(upgraded) {
			a := send(browser, request(t, http.MethodGet, r.url+"/account/runs", nil, "Authorization", "Bearer "+clients[0].id))
			if a.err != nil {
				looks["no answer"]++
				time.Sleep(glance)
				continue
			}
			looks[strconv.Itoa(a.status)]++
		}
	}()
	today := packageOf(t, root, binary, "1.1.0")
	begun, rest := io.Pipe()
	midst := make(chan answer, 1)
	var flowing sync.WaitGroup
	var away time.Duration
	m.onRestart = func() {
		go func() { midst <- post(t, r.url+"/reconcile", clients[1].key, begun) }()
		body := runOf("midst", 20<<20) // no connection holds a half of it that nobody reads
		_, _ = rest.Write(body[:len(body)/2])
		began := time.Now()
		r.signal(syscall.SIGTERM)
		flowing.Go(func() { runs(1) })
		_, _ = rest.Write(body[len(body)/2:])
		_ = rest.Close()
		<-r.ended
		next := m.launch(t)
		next.awaitReady(t)
		r.process, r.ended, r.journal = next.process, next.ended, next.journal
		away = time.Since(began)
	}
	m.install(t, today)
	require.NotZero(t, away, "the package restarts the service")
	flowing.Wait()
	runs(2)
	close(upgraded)
	<-looking
	amid := <-midst
	outcomeOf(t, amid)
	stored[amid.header.Get("X-Run-Id")] = "midst"
	t.Logf("the service was away for %v, while its database went from version %d to %d; looks: %v", away.Round(time.Millisecond), first, version(), looks)
	require.Greater(t, version(), first)
	require.Positive(t, looks["200"])
	delete(looks, "200")
	delete(looks, "no answer")
	require.Empty(t, looks, "no request was answered by anything but its answer")

	require.Len(t, stored, 3*len(clients)*perRound+1)
	require.Equal(t, stored, m.runsStored(t))
	await(t, "each run to be told", func() bool { return len(endpoint.seen()) >= len(stored) })
	told := map[string]string{}
	for id, posts := range endpoint.seen() {
		require.Len(t, posts, 1, "posts of the delivery %s", id)
		told[summaryOf(t, posts[0]).RunID] = summaryOf(t, posts[0]).Brand
	}
	require.Equal(t, stored, told)
	require.Contains(t, m.read(t, "/etc/milaan/milaan.env"), toThisMachine)

	m.milaan(t, "backup", "/var/lib/milaan/after.tar")
	r.stop(t)
	for backup, runs := range map[string]map[string]string{"before.tar": known, "after.tar": stored} {
		elsewhere := plain(t)
		elsewhere.succeed(t, nil, "restore", filepath.Join(m.data, backup))
		restored := elsewhere.start(t)
		require.Equal(t, runs, elsewhere.runsStored(t), backup)
		require.Equal(t, `{"held":true,"status":"ok"}`, string(get(t, restored.url+"/readyz").body))
		outcomeOf(t, restored.reconcile(t, clients[2].key, "restored"))
		restored.stop(t)
	}
	require.Len(t, endpoint.seen(), len(stored), "what is held tells nobody")
}

// perRound is how many runs a client sends in each of three rounds. Its key allows ten within a minute.
const perRound = 2

// runsStored are the brands of the runs in the database, by their ids.
func (in *installation) runsStored(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, row := range in.query(t, "SELECT id, brand FROM runs", 2) {
		all[row[0]] = row[1]
	}
	return all
}

// packageOf packs a program with what the releases of its sources pack beside it, but for the manual and the
// completions.
func packageOf(t *testing.T, sources, program, version string) (file string) {
	t.Helper()
	text := only.Value(os.ReadFile(filepath.Join(sources, ".packaging/goreleaser.yaml")))(t)
	var release struct{ Nfpms []map[string]any }
	require.NoError(t, yaml.Unmarshal(text, &release))
	require.Len(t, release.Nfpms, 1)
	p := release.Nfpms[0]
	contents := slices.DeleteFunc(p["contents"].([]any), func(c any) bool {
		return strings.HasPrefix(c.(map[string]any)["src"].(string), ".packaging/made/")
	})
	p["contents"] = append(contents, map[string]any{"src": program, "dst": p["bindir"].(string) + "/milaan", "file_info": map[string]any{"mode": 0o755}})
	p["name"], p["arch"], p["version"] = "milaan", runtime.GOARCH, version
	p["depends"] = p["overrides"].(map[string]any)["deb"].(map[string]any)["dependencies"]
	for _, ofReleases := range []string{"file_name_template", "formats", "bindir", "mtime", "overrides"} {
		delete(p, ofReleases)
	}
	settings := only.Value(yaml.Marshal(p))(t)
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "nfpm.yaml"), settings, 0o600))
	file = filepath.Join(folder, "milaan.deb")
	byMachine(t, sources, "go", "run", nfpm, "package", "--config", filepath.Join(folder, "nfpm.yaml"), "--packager", "deb", "--target", file)
	return file
}

// byMachine runs a program of this machine in a folder.
func byMachine(t *testing.T, folder, program string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, program, args...)
	c.Dir, c.WaitDelay = folder, time.Second
	output, err := c.CombinedOutput()
	require.NoError(t, err, "%v: %s", c.Args, output)
	return string(output)
}

// machine is a root that has what the scripts of a package call, and nothing else. No systemd runs there: the test does
// what the unit says, and does so when a script tells systemctl.
type machine struct {
	*installation
	root      string
	owner     *user.User // whom the package has made
	onRestart func()
}

// newMachine makes the root. systemctl there writes down what it is told, and waits until it is done.
func newMachine(t *testing.T) *machine {
	t.Helper()
	for _, program := range []string{"dpkg", "dpkg-deb", "ldd"} {
		needed.Program(t, program)
	}
	m := &machine{installation: newInstallation(t, ""), root: t.TempDir()}
	m.secret, m.data = "", filepath.Join(m.root, "var/lib/milaan")
	for _, folder := range []string{"etc", "tmp", "run/systemd/system", "usr/bin", "var/lib/dpkg/info", "var/lib/dpkg/updates"} {
		require.NoError(t, os.MkdirAll(filepath.Join(m.root, folder), 0o755))
	}
	require.NoError(t, os.Chmod(m.root, 0o755))
	require.NoError(t, os.Chmod(filepath.Join(m.root, "tmp"), 0o777|os.ModeSticky))
	m.copyProgram(t, needed.Program(t, "sh"), "/bin/sh")
	m.copyProgram(t, needed.Program(t, "systemd-sysusers"), "/usr/bin/systemd-sysusers")
	m.write(t, "/usr/bin/systemctl", "#!/bin/sh\nset -e\necho \"$@\" >/run/told\nread -r _ </run/done\n", 0o755)
	m.write(t, "/var/lib/dpkg/status", "Package: systemd-standalone-sysusers\nStatus: install ok installed\nArchitecture: "+runtime.GOARCH+
		"\nMaintainer: the test <nobody@milaan.invalid>\nVersion: 252\nDescription: which is there\n\n", 0o644)
	for _, pipe := range []string{"run/told", "run/done"} {
		require.NoError(t, syscall.Mkfifo(filepath.Join(m.root, pipe), 0o600))
	}
	return m
}

// copyProgram copies a program of this machine with the libraries that it needs.
func (m *machine) copyProgram(t *testing.T, from, to string) {
	t.Helper()
	for _, library := range regexp.MustCompile(`(?m)(/\S+) \(0x`).FindAllStringSubmatch(byMachine(t, "/", "ldd", from), -1) {
		m.copyFile(t, library[1], library[1])
	}
	m.copyFile(t, from, to)
}

func (m *machine) copyFile(t *testing.T, from, to string) {
	t.Helper()
	m.write(t, to, string(only.Value(os.ReadFile(from))(t)), 0o755)
}

func (m *machine) write(t *testing.T, to, text string, mode os.FileMode) {
	t.Helper()
	to = filepath.Join(m.root, to)
	require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
	require.NoError(t, os.WriteFile(to, []byte(text), mode))
}

func (m *machine) read(t *testing.T, name string) string {
	t.Helper()
	return string(only.Value(os.ReadFile(filepath.Join(m.root, name)))(t))
}

// install installs a package or upgrades to it, and does meanwhile what its scripts tell systemctl: a service that
// does not run is not started.
func (m *machine) install(t *testing.T, file string) {
	t.Helper()
	var told []string
	var ended atomic.Bool
	listening := make(chan struct{})
	pipe := filepath.Join(m.root, "run/told")
	go func() {
		defer close(listening)
		for {
			text, err := os.ReadFile(pipe)
			if err != nil || ended.Load() {
				return
			}
			told = append(told, strings.TrimSpace(string(text)))
			if told[len(told)-1] == "try-restart milaan.service" && m.onRestart != nil {
				m.onRestart()
			}
			_ = os.WriteFile(filepath.Join(m.root, "run/done"), []byte("done\n"), 0)
		}
	}()
	byMachine(t, "/", "dpkg", "--root="+m.root, "--install", file)
	ended.Store(true)
	require.NoError(t, os.WriteFile(pipe, nil, 0)) // there is nobody else to end it
	<-listening
	require.Equal(t, "try-restart milaan.service", told[len(told)-1], "%v", told)

	account := regexp.MustCompile(`(?m)^milaan:[^:]*:(\d+):(\d+):[^:]*:(.*):`).FindStringSubmatch(m.read(t, "/etc/passwd"))
	require.NotNil(t, account)
	m.owner = &user.User{Uid: account[1], Gid: account[2], HomeDir: account[3]}
}

// set sets what an operator does.
func (m *machine) set(t *testing.T, settings ...string) {
	t.Helper()
	const file = "/etc/milaan/milaan.env"
	m.write(t, file, m.read(t, file)+strings.Join(settings, "\n")+"\n", 0o600)
}

// command is a command line as the unit runs it: as its user, in its folder, with its settings and no others.
func (m *machine) command(t *testing.T, line ...string) *exec.Cmd {
	t.Helper()
	unit := m.read(t, "/usr/lib/systemd/system/milaan.service")
	value := func(name string) string {
		found := regexp.MustCompile(`(?m)^` + name + `=-?(.*)$`).FindStringSubmatch(unit)
		require.NotNil(t, found, name)
		return found[1]
	}
	number := func(text string, base int) int {
		return int(only.Value(strconv.ParseInt(text, base, 32))(t))
	}
	require.Equal(t, "milaan", value("User"))
	id, group := number(m.owner.Uid, 10), number(m.owner.Gid, 10)
	state := filepath.Join(m.root, "var/lib", value("StateDirectory"))
	require.NoError(t, os.MkdirAll(state, os.FileMode(number(value("StateDirectoryMode"), 8))))
	require.NoError(t, os.Chown(state, id, group))
	if line == nil {
		line = strings.Fields(value("ExecStart"))
	}
	c := exec.Command("/bin/sh", append([]string{"-c", "umask " + value("UMask") + ` && exec "$@"`, "sh"}, line...)...)
	c.Dir, c.Env, c.WaitDelay = "/", []string{value("Environment")}, waitLimit
	for _, set := range strings.Split(m.read(t, value("EnvironmentFile")), "\n") {
		if set != "" && !strings.HasPrefix(set, "#") {
			c.Env = append(c.Env, set)
		}
	}
	c.SysProcAttr = &syscall.SysProcAttr{Chroot: m.root, Credential: &syscall.Credential{Uid: uint32(id), Gid: uint32(group)}} //nolint:gosec // ids
	return c
}

// milaan runs a command as milaanctl does, and returns what it prints.
func (m *machine) milaan(t *testing.T, args ...string) string {
	t.Helper()
	c, log := m.command(t, append([]string{"/usr/bin/milaan"}, args...)...), m.newJournal()
	var stdout bytes.Buffer
	c.Stdout, c.Stderr = &stdout, log
	require.NoError(t, startTied(c))
	waitFor(t, c, log)
	require.Zero(t, c.ProcessState.ExitCode(), log.text())
	return stdout.String()
}

// launch starts what the unit starts.
func (m *machine) launch(t *testing.T) *replica {
	t.Helper()
	r := &replica{journal: m.newJournal(), process: m.command(t)}
	r.process.Stdout, r.process.Stderr = r.journal, r.journal
	r.ended = startUntilCleanup(t, r.process)
	return r
}
