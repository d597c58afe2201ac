package cli_test

import (
	"milaan/adapters/cli"
	"milaan/adapters/wording"
)

var _ = cli.Speak(wording.New())
