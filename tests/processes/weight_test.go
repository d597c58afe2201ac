package processes_test

import (
	"bytes"
	"debug/buildinfo"
	"debug/elf"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/only"
)

// mostProgram is how many bytes the stripped program may have, a little above what it has. Each byte
// is compiled by everybody who tries `go run .`, and a part of them is read at each start.
const mostProgram = 41_450_000

// mostReleased is the same for the program that is released, which has OpenTelemetry's libraries.
const mostReleased = mostProgram + 1_400_000

func openELF(t *testing.T, file string) *elf.File {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("NOT TESTED: the program is no ELF file")
	}
	program := only.Value(elf.Open(file))(t)
	t.Cleanup(func() { require.NoError(t, program.Close()) })
	return program
}

// TestTheProgramStaysSmall counts what a system loads of the program, and neither symbols nor
// what a debugger needs.
func TestTheProgramStaysSmall(t *testing.T) {
	for file, most := range map[string]uint64{binary: mostProgram, only.Value(released())(t): mostReleased} {
		size := uint64(0)
		for _, s := range openELF(t, file).Sections {
			if s.Flags&elf.SHF_ALLOC != 0 && s.Type != elf.SHT_NOBITS {
				size += s.Size
			}
		}
		t.Logf("%s: %d bytes", filepath.Base(file), size)
		require.Less(t, size, most, "go tool nm -size -sort size names what is large")
	}
}

// TestMethodsThatNothingCallsAreNotLinked looks for a method that is linked only together with all
// methods of all types (decision 20).
func TestMethodsThatNothingCallsAreNotLinked(t *testing.T) {
	for _, file := range []string{binary, only.Value(released())(t)} {
		functions := only.Value(openELF(t, file).Section(".gopclntab").Data())(t)
		has := func(name string) bool { return bytes.Contains(functions, []byte("\x00"+name+"\x00")) }
		require.True(t, has("reflect.(*rtype).MethodByName"), "the names of functions stand there")
		require.False(t, has("reflect.(*Value).MethodByName"), "go build -ldflags=-dumpdep 2>&1 | grep 'ReflectMethod>$' names who calls methods by name")
	}
}

// mostAtInit is how many bytes the packages may allocate before main begins, with a tenth to
// spare. Every command waits for them, and from 4 MB on for the garbage collector too.
const mostAtInit = 2_300_000

// TestPackagesDoLittleAtInit adds up what each package allocates at its initialisation.
func TestPackagesDoLittleAtInit(t *testing.T) {
	c := exec.Command(binary, "version")
	c.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var said strings.Builder
	c.Stderr = &said
	require.NoError(t, c.Run())
	sum := 0
	for _, of := range regexp.MustCompile(`(?m)^init .* clock, (\d+) bytes`).FindAllStringSubmatch(said.String(), -1) {
		n := only.Value(strconv.Atoi(of[1]))(t)
		sum += n
	}
	t.Logf("%d bytes", sum)
	require.Positive(t, sum)
	require.Less(t, sum, mostAtInit, "the packages that allocate most: GODEBUG=inittrace=1 milaan version 2>&1 | sort -k8 -n")
}

// mostIdle is how many bytes of an idle service may be in memory, with a tenth to spare.
const mostIdle = 35_000_000

// TestAnIdleServiceIsSmall waits until the service has given back what its start needed.
func TestAnIdleServiceIsSmall(t *testing.T) {
	t.Parallel()
	r := newInstallation(t, "").start(t)
	least := int64(math.MaxInt64)
	require.Eventually(t, func() bool {
		least = min(least, r.resident(t, "VmRSS"))
		return least < mostIdle
	}, waitLimit, 10*time.Millisecond)
	t.Logf("%d bytes", least)
}

// unlinked are modules that libraries import and that stand-ins replace (decision 18).
var unlinked = []string{
	"github.com/jinzhu/inflection",
	"github.com/goccy/go-yaml", "github.com/pelletier/go-toml/v2",
	"github.com/quic-go/quic-go", "github.com/ugorji/go/codec", "go.mongodb.org/mongo-driver/v2",
	"google.golang.org/protobuf",
}

func TestWhatIsNotUsedIsNotLinked(t *testing.T) {
	info := only.Value(buildinfo.ReadFile(binary))(t)
	standIns := 0
	for _, module := range info.Deps {
		for _, name := range unlinked {
			if module.Path == name {
				require.NotNil(t, module.Replace, name)
				require.Contains(t, module.Replace.Path, "/unlinked/", name)
				standIns++
			}
		}
	}
	require.Equal(t, len(unlinked), standIns, "a stand-in that nothing imports is to be deleted")
}
