package processes_test

import (
	"debug/buildinfo"
	"debug/elf"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mostProgram is how many bytes the stripped program may have, with a tenth to spare. Each
// is compiled by everybody who tries `go run .`, and a part of them is read at each start.
const mostProgram = 48_000_000

// TestTheProgramStaysSmall counts what a system loads of the program, and neither symbols nor
// what a debugger needs.
func TestTheProgramStaysSmall(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("NOT TESTED: the program is no ELF file")
	}
	program, err := elf.Open(binary)
	require.NoError(t, err)
	defer func() { require.NoError(t, program.Close()) }()
	size := uint64(0)
	for _, s := range program.Sections {
		if s.Flags&elf.SHF_ALLOC != 0 && s.Type != elf.SHT_NOBITS {
			size += s.Size
		}
	}
	t.Logf("%d bytes", size)
	require.Less(t, size, uint64(mostProgram), "go tool nm -size -sort size names what is large")
}

// mostAtInit is how many bytes the packages may allocate before main begins, with a tenth to
// spare. Every command waits for them, and from 4 MB on for the garbage collector too.
const mostAtInit = 2_600_000

// TestPackagesDoLittleAtInit adds up what each package allocates at its initialisation.
func TestPackagesDoLittleAtInit(t *testing.T) {
	c := exec.Command(binary, "version")
	c.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var said strings.Builder
	c.Stderr = &said
	require.NoError(t, c.Run())
	sum := 0
	for _, of := range regexp.MustCompile(`(?m)^init .* clock, (\d+) bytes`).FindAllStringSubmatch(said.String(), -1) {
		n, err := strconv.Atoi(of[1])
		require.NoError(t, err)
		sum += n
	}
	t.Logf("%d bytes", sum)
	require.Positive(t, sum)
	require.Less(t, sum, mostAtInit, "the packages that allocate most: GODEBUG=inittrace=1 milaan version 2>&1 | sort -k8 -n")
}

// unlinked are modules that libraries import and that stand-ins replace (decision 18).
var unlinked = []string{
	"github.com/jinzhu/inflection",
	"github.com/goccy/go-yaml", "github.com/pelletier/go-toml/v2",
	"github.com/quic-go/quic-go", "github.com/ugorji/go/codec", "go.mongodb.org/mongo-driver/v2",
}

func TestWhatIsNotUsedIsNotLinked(t *testing.T) {
	info, err := buildinfo.ReadFile(binary)
	require.NoError(t, err)
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
