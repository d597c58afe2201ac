package assets_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/only"
)

// TestThePagesVerifySignaturesAsTheGuideDoes holds that the examples on the webhooks' screen
// are those of the guide, which are run by its own test.
func TestThePagesVerifySignaturesAsTheGuideDoes(t *testing.T) {
	chapter := only.Value(os.ReadFile("../../../guide/chapters/webhooks.md"))(t)
	shown := only.Value(os.ReadFile("../ui/screens/verify.ts"))(t)
	for _, language := range []string{"go", "js", "python"} {
		_, after, found := strings.Cut(string(chapter), "<!-- verify "+language+" -->\n```"+language+"\n")
		require.True(t, found, language)
		example, _, found := strings.Cut(after, "\n```")
		require.True(t, found, language)
		require.Contains(t, string(shown), "`"+example+"`", "ui/screens/verify.ts differs from the guide in %s", language)
	}
}
