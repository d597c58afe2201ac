package processes_test

import (
	"debug/buildinfo"
	"debug/elf"
	"runtime"
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

// unlinked are modules that gin imports and that stand-ins replace (decision 18).
var unlinked = []string{
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
