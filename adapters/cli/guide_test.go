package cli_test

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"

	"milaan/adapters/cli"
	"milaan/adapters/guide"
	"milaan/adapters/wording"
)

// TestTheGuideHasEveryCommand holds that the chapter of commands names each in the row of its group.
func TestTheGuideHasEveryCommand(t *testing.T) {
	chapter, _ := guide.Find("commands")
	named := func(group, name string) bool {
		for row := range strings.Lines(chapter.Markdown()) {
			cell, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " | ")
			if strings.HasPrefix(cell, strings.TrimSpace("`milaan "+group)) && (strings.Contains(cell, "`"+name+"`") || strings.Contains(cell, strings.TrimSpace(group+" "+name))) {
				return true
			}
		}
		return false
	}
	var look func(group string, all []*cobra.Command)
	look = func(group string, all []*cobra.Command) {
		for _, c := range all {
			switch {
			case !c.IsAvailableCommand() || c.Name() == "help" || c.Name() == "completion":
			case c.HasSubCommands():
				look(strings.TrimSpace(group+" "+c.Name()), c.Commands())
			default:
				assert.True(t, named(group, c.Name()), "%s %s", group, c.Name())
			}
		}
	}
	look("", cli.New(deps).Commands())
}

// A chapter with the name of a command follows the command's help.
func TestAChapterWithTheNameOfACommand(t *testing.T) {
	chapter, _ := guide.Find("backup")
	var out strings.Builder
	assert.Zero(t, cli.Execute(t.Context(), deps, []string{"help", "backup"}, &out, &out))
	assert.Contains(t, out.String(), "milaan backup FILE")
	assert.True(t, strings.HasSuffix(out.String(), chapter.Markdown()))
}

var _ = cli.Speak(wording.New())
