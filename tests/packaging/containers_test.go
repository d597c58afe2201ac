package packaging_test

import (
	"crypto/sha256"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"milaan/adapters/guide"
	"milaan/config"
	"milaan/tests/needed"
	"milaan/tests/only"
)

// ending is what a stop may take beyond the two settings that bound it: a job that was given
// back, the database's end.
const ending = 5 * time.Second

// image is what the last stage of the Containerfile says.
type image struct {
	copies               [][]string // what is copied from the stage before: flags, from, to
	env                  []string
	entry, command, test []string
	user                 string
	ports                []string
	timeout, startPeriod time.Duration // of the health check
	flags                []string      // with which the program is built
}

// containerfile reads the instructions that the file has, and no others.
func containerfile(t *testing.T) (of image) {
	t.Helper()
	lines := regexp.MustCompile(`(?m)^#.*\n`).ReplaceAllString(read(t, "container/Containerfile"), "")
	build, last, found := strings.Cut(strings.ReplaceAll(lines, "\\\n", ""), "\nFROM scratch\n")
	require.True(t, found, "the image has nothing but what is copied into it")
	compile := regexp.MustCompile(`CGO_ENABLED=0 go build (-trimpath) (-ldflags)="(.*?)" -o /image/usr/bin/milaan \. `).FindStringSubmatch(build)
	require.NotNil(t, compile)
	of.flags = []string{compile[1], compile[2] + "=" + compile[3]}
	list := func(text string) (parts []string) {
		require.NoError(t, yaml.Unmarshal([]byte(text), &parts), "a list, so that no shell is needed: %s", text)
		return parts
	}
	for line := range strings.Lines(last) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch name {
		case "COPY":
			of.copies = append(of.copies, strings.Fields(rest))
		case "USER":
			of.user = rest
		case "ENV":
			of.env = strings.Fields(rest)
		case "EXPOSE":
			of.ports = strings.Fields(rest)
		case "ENTRYPOINT":
			of.entry = list(rest)
		case "CMD":
			of.command = list(rest)
		case "HEALTHCHECK":
			options, command, _ := strings.Cut(rest, " CMD ")
			of.test, of.timeout, of.startPeriod = list(command), option(t, options, "--timeout"), option(t, options, "--start-period")
		case "STOPSIGNAL", "VOLUME":
		default:
			t.Fatalf("the tests do not know %s", line)
		}
	}
	return of
}

func option(t *testing.T, options, name string) time.Duration {
	t.Helper()
	of := regexp.MustCompile(name + `[= ](\S+)`).FindStringSubmatch(options)
	require.NotNil(t, of, name)
	return duration(t, of[1])
}

func duration(t *testing.T, text string) time.Duration {
	t.Helper()
	return only.Value(time.ParseDuration(text))(t)
}

// constant is a duration that the code has, so many seconds or a minute.
func constant(t *testing.T, file, name string) time.Duration {
	t.Helper()
	text := only.Value(os.ReadFile(filepath.Join(root, file)))(t)
	of := regexp.MustCompile(`\b` + name + ` = (?:(\d+) \* )?time\.(Second|Minute)\n`).FindStringSubmatch(string(text))
	require.NotNil(t, of, "%s in %s", name, file)
	times := only.Value(strconv.Atoi("0" + of[1]))(t)
	return time.Duration(max(times, 1)) * map[string]time.Duration{"Second": time.Second, "Minute": time.Minute}[of[2]]
}

// settings are those that an environment gives, which the service starts with and does not warn of.
func settings(t *testing.T, environ ...string) config.Config {
	t.Helper()
	c := only.Value(config.Load(environ))(t)
	require.Empty(t, c.Warnings)
	return c
}

// environ is a map as an environment, after which variables are filled in.
func environ(of map[string]string, variables map[string]string) (all []string) {
	for name, value := range of {
		all = append(all, name+"="+filledIn(value, variables))
	}
	return all
}

// filledIn replaces ${NAME}, ${NAME:-default} and ${NAME:?message}, as compose does.
func filledIn(text string, variables map[string]string) string {
	return regexp.MustCompile(`\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}`).ReplaceAllStringFunc(text, func(found string) string {
		name, other, _ := strings.Cut(strings.Trim(found, "${}"), ":-")
		name, _, _ = strings.Cut(name, ":?")
		if value, is := variables[name]; is {
			return value
		}
		return other
	})
}

// secrets are what a person writes into .env, or into the Secret.
var secrets = map[string]string{"DATABASE_PASSWORD": strings.Repeat("5e", 16), "MILAAN_SECRET_KEY": fmt.Sprintf("%x", sha256.Sum256(nil))}

func TestTheImageHasWhatTheServiceNeeds(t *testing.T) {
	t.Parallel()
	of := containerfile(t)
	require.Regexp(t, `^[1-9]\d{3,}:[1-9]\d{3,}$`, of.user, "a number, because there is no list of users; Kubernetes demands it too")
	mod := only.Value(os.ReadFile(filepath.Join(root, "go.mod")))(t)
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(mod))
	require.Contains(t, read(t, "container/Containerfile"), "/golang:"+version[1]+" AS build\n")
	require.Equal(t, append(slices.Clone(of.entry), "ready"), of.test)
	require.Equal(t, []string{"serve"}, of.command)
	require.Greater(t, of.timeout, constant(t, "adapters/cli/ready.go", "readyWait"), "milaan ready says what is wrong only then")
	require.GreaterOrEqual(t, of.startPeriod, constant(t, "main.go", "startLimit"))

	c := settings(t, append(slices.Clone(of.env), "MILAAN_TRUSTED_PROXIES=172.30.83.2")...)
	require.Equal(t, []string{port(t, c.HTTP.Addr), port(t, c.HTTP.MetricsAddr)}, of.ports)
	last := of.copies[len(of.copies)-1]
	require.Equal(t, []string{"--chown=" + of.user, c.Storage.DataDir}, []string{last[1], last[3]}, "the data belongs to the user")
	require.ErrorContains(t, only.Err(config.Load(of.env)), "HTTPS only", "it is open to no network before somebody has said who ends HTTPS")
}

func port(t *testing.T, address string) string {
	t.Helper()
	_, p := only.Both(net.SplitHostPort(address))(t)
	return p
}

// TestNothingIgnoredIsSentToTheBuilder holds that data and secrets of a person who builds the image are not
// in its context, and that nothing else is left out of it.
func TestNothingIgnoredIsSentToTheBuilder(t *testing.T) {
	t.Parallel()
	text := only.Value(os.ReadFile(filepath.Join(root, ".gitignore")))(t)
	entries := func(text string) (all []string) {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				all = append(all, strings.Trim(strings.TrimPrefix(line, "**/"), "/"))
			}
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	require.Equal(t, entries(string(text)), entries(read(t, "container/Containerfile.dockerignore")))
}

// service is what a compose file says of one.
type service struct {
	Image       string
	Environment map[string]string
	Ports       []string
	Volumes     []string
	Networks    yaml.Node
	Healthcheck struct {
		Test        []string
		Timeout     string
		StartPeriod string `yaml:"start_period"`
	}
	StopGracePeriod string   `yaml:"stop_grace_period"`
	MemLimit        string   `yaml:"mem_limit"`
	ReadOnly        bool     `yaml:"read_only"`
	CapDrop         []string `yaml:"cap_drop"`
	CapAdd          []string `yaml:"cap_add"`
	SecurityOpt     []string `yaml:"security_opt"`
}

func TestComposeFiles(t *testing.T) {
	t.Parallel()
	of := containerfile(t)
	for file, instances := range map[string]int{"compose.yaml": 1, "compose.postgres.yaml": 2} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			var compose struct{ Services map[string]service }
			require.NoError(t, yaml.Unmarshal([]byte(read(t, "container/"+file)), &compose))
			var addresses []string
			caddy := compose.Services["caddy"]
			for name, s := range compose.Services {
				require.True(t, s.ReadOnly, name)
				require.Equal(t, []string{"ALL"}, s.CapDrop, name)
				require.Equal(t, []string{"no-new-privileges:true"}, s.SecurityOpt, name)
				if name != "caddy" {
					require.Empty(t, s.CapAdd, name)
					require.Empty(t, s.Ports, "%s is reached through Caddy alone", name)
				}
				if s.Image != "milaan" {
					continue
				}
				c := settings(t, append(environ(s.Environment, secrets), of.env...)...)
				require.GreaterOrEqual(t, duration(t, s.StopGracePeriod), c.HTTP.DrainDelay+c.HTTP.DrainTimeout+ending, name)
				require.Equal(t, of.test, s.Healthcheck.Test[1:], name)
				require.Equal(t, of.timeout, duration(t, s.Healthcheck.Timeout), name)
				require.Equal(t, of.startPeriod, duration(t, s.Healthcheck.StartPeriod), name)
				require.Equal(t, "512m", s.MemLimit, "what the chapter settings says")
				require.Equal(t, "https://localhost", c.HTTP.PublicURL)
				require.Equal(t, "https://shop.example", filledIn(s.Environment["MILAAN_PUBLIC_URL"], map[string]string{"SITE": "shop.example"}))
				var networks struct {
					Front struct {
						Address string `yaml:"ipv4_address"`
					}
				}
				require.NoError(t, caddy.Networks.Decode(&networks))
				require.Equal(t, networks.Front.Address+"/32", c.HTTP.TrustedProxies[0].String(), "Caddy, and nobody else")
				require.Len(t, c.HTTP.TrustedProxies, 1)
				addresses = append(addresses, net.JoinHostPort(name, port(t, c.HTTP.Addr)))
				if instances > 1 {
					require.NotEmpty(t, c.Storage.DatabaseURL)
					require.Empty(t, s.Volumes, "all that it keeps is in PostgreSQL")
					rules := read(t, "container/Caddyfile")
					notices := option(t, rules, "health_interval") + option(t, rules, "health_timeout")
					require.Greater(t, c.HTTP.DrainDelay, notices, "Caddy has noticed the stop before connections are refused")
				} else {
					require.Equal(t, []string{"data:" + c.Storage.DataDir}, s.Volumes)
				}
			}
			require.Len(t, addresses, instances)
			require.ElementsMatch(t, addresses, strings.Fields(caddy.Environment["UPSTREAMS"]))
		})
	}
}

// TestTheGuideMakesTheSecrets holds that whoever does what the chapter says has what the files ask for.
func TestTheGuideMakesTheSecrets(t *testing.T) {
	t.Parallel()
	chapter, _ := guide.Find("containers")
	for _, of := range regexp.MustCompile(`\$\{(\w+)`).FindAllStringSubmatch(read(t, "container/compose.postgres.yaml"), -1) {
		require.Contains(t, chapter.Markdown(), of[1]+"=")
	}
	pod := objects(t)["Deployment"].at("spec.template.spec.containers.0")
	require.Contains(t, chapter.Markdown(), fmt.Sprint("kubectl create secret generic ", pod.at("envFrom.1.secretRef.name").value, " "))
	require.Contains(t, chapter.Markdown(), "--from-literal=MILAAN_DATABASE_URL=")
}

func TestCaddyfile(t *testing.T) {
	t.Parallel()
	of := containerfile(t)
	text := read(t, "container/Caddyfile")
	c := settings(t, append(slices.Clone(of.env), "MILAAN_TRUSTED_PROXIES=172.30.83.2")...)
	require.Contains(t, text, "health_port "+port(t, c.HTTP.MetricsAddr)+"\n")
	require.Greater(t, option(t, text, "health_timeout"), constant(t, "adapters/httpapi/health.go", "readyWait"))
	for _, upstreams := range []string{"milaan:8080", "milaan-1:8080 milaan-2:8080"} {
		command := exec.Command(needed.Program(t, "caddy"), "validate", "--config", filepath.Join(root, ".packaging/container/Caddyfile"), "--adapter", "caddyfile")
		command.Env = []string{"HOME=" + t.TempDir(), "SITE=localhost", "UPSTREAMS=" + upstreams}
		output, err := command.CombinedOutput()
		require.NoError(t, err, "%s", output)
	}
}

// node is a part of a YAML document.
type node struct{ value any }

// at goes down a path, such as spec.containers.0.image.
func (n node) at(path string) node {
	for name := range strings.SplitSeq(path, ".") {
		switch v := n.value.(type) {
		case map[string]any:
			n = node{v[name]}
		case []any:
			i, _ := strconv.Atoi(name)
			n = node{v[i]}
		default:
			return node{}
		}
	}
	return n
}

func (n node) seconds() time.Duration {
	number, _ := n.value.(int)
	return time.Duration(number) * time.Second
}

// objects are what Kubernetes is told, by kind.
func objects(t *testing.T) map[string]node {
	t.Helper()
	all := map[string]node{}
	for text := range strings.SplitSeq(read(t, "kubernetes/milaan.yaml"), "\n---\n") {
		var of node
		require.NoError(t, yaml.Unmarshal([]byte(text), &of.value))
		kind := of.at("kind").value.(string)
		require.NotContains(t, all, kind)
		all[kind] = of
	}
	return all
}

func TestKubernetes(t *testing.T) {
	t.Parallel()
	of, all := containerfile(t), objects(t)
	deployment := all["Deployment"]
	pod := deployment.at("spec.template.spec")
	container := pod.at("containers.0")

	// The settings are those of the image, of kustomization.yaml, and of the Secret that a person makes.
	var kustomization struct {
		Namespace          string
		Resources          []string
		Images             []struct{ Name string }
		ConfigMapGenerator []struct {
			Name     string
			Literals []string
		} `yaml:"configMapGenerator"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(read(t, "kubernetes/kustomization.yaml")), &kustomization))
	made := kustomization.ConfigMapGenerator[0]
	c := settings(t, append(append(slices.Clone(of.env), made.Literals...), "MILAAN_DATABASE_URL=postgres://milaan@db/milaan",
		"MILAAN_SECRET_KEY="+secrets["MILAAN_SECRET_KEY"])...)
	require.Equal(t, made.Name, container.at("envFrom.0.configMapRef.name").value)
	require.Equal(t, "milaan", container.at("envFrom.1.secretRef.name").value, "the chapter containers makes it")
	require.Equal(t, kustomization.Images[0].Name, container.at("image").value)
	require.Equal(t, kustomization.Namespace, all["Namespace"].at("metadata.name").value)
	require.Equal(t, []string{"milaan.yaml"}, kustomization.Resources)

	// A pod that is deleted serves until nothing is routed to it, and ends in its time.
	require.Positive(t, c.HTTP.DrainDelay)
	require.GreaterOrEqual(t, pod.at("terminationGracePeriodSeconds").seconds(), c.HTTP.DrainDelay+c.HTTP.DrainTimeout+ending)
	require.Equal(t, 0, deployment.at("spec.strategy.rollingUpdate.maxUnavailable").value)
	require.Greater(t, deployment.at("spec.replicas").value, all["PodDisruptionBudget"].at("spec.maxUnavailable").value)

	require.Equal(t, port(t, c.HTTP.Addr), strconv.Itoa(container.at("ports.0.containerPort").value.(int)))
	require.Equal(t, port(t, c.HTTP.MetricsAddr), strconv.Itoa(container.at("ports.1.containerPort").value.(int)))
	for path, name := range map[string]string{
		"Service spec.ports.0.targetPort": "http", "Service spec.ports.1.targetPort": "operations",
		"NetworkPolicy spec.ingress.0.ports.0.port": "http", "NetworkPolicy spec.ingress.1.ports.0.port": "operations",
	} {
		kind, path, _ := strings.Cut(path, " ")
		require.Equal(t, name, all[kind].at(path).value)
	}
	for path, probed := range map[string]string{"startupProbe": "/healthz", "livenessProbe": "/healthz", "readinessProbe": "/readyz"} {
		require.Equal(t, probed, container.at(path+".httpGet.path").value, "a database that is away does not have pods killed")
		require.Equal(t, "operations", container.at(path+".httpGet.port").value, "the other one demands HTTPS")
	}
	require.Greater(t, container.at("readinessProbe.timeoutSeconds").seconds(), constant(t, "adapters/httpapi/health.go", "readyWait"))
	startup := container.at("startupProbe")
	within := startup.at("periodSeconds").value.(int) * startup.at("failureThreshold").value.(int)
	require.Greater(t, float64(within), constant(t, "main.go", "startLimit").Seconds())

	label := deployment.at("spec.template.metadata.labels").value
	for path, kind := range map[string]string{"spec.selector.matchLabels": "Deployment", "spec.selector": "Service",
		"spec.podSelector.matchLabels": "NetworkPolicy", "metadata.labels": "Service"} {
		require.Equal(t, label, all[kind].at(path).value, kind)
	}
	require.Equal(t, label, all["PodDisruptionBudget"].at("spec.selector.matchLabels").value)
	require.Equal(t, label, pod.at("topologySpreadConstraints.0.labelSelector.matchLabels").value)

	user, group, _ := strings.Cut(of.user, ":")
	require.Equal(t, user, strconv.Itoa(pod.at("securityContext.runAsUser").value.(int)))
	require.Equal(t, group, strconv.Itoa(pod.at("securityContext.runAsGroup").value.(int)))
	require.Equal(t, "restricted", all["Namespace"].at("metadata.labels").value.(map[string]any)["pod-security.kubernetes.io/enforce"])
	require.Equal(t, true, pod.at("securityContext.runAsNonRoot").value)
	require.Equal(t, "RuntimeDefault", pod.at("securityContext.seccompProfile.type").value)
	require.Equal(t, map[string]any{"allowPrivilegeEscalation": false, "readOnlyRootFilesystem": true,
		"capabilities": map[string]any{"drop": []any{"ALL"}}}, container.at("securityContext").value)
	require.Equal(t, false, pod.at("automountServiceAccountToken").value)
	require.Equal(t, false, pod.at("enableServiceLinks").value)
	for _, which := range []string{"requests", "limits"} {
		require.Equal(t, "512Mi", container.at("resources."+which+".memory").value, "what the chapter settings says")
	}
}
