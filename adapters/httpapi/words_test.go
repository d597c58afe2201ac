package httpapi_test

import (
	"milaan/adapters/httpapi"
	"milaan/adapters/wording"
)

var _ = httpapi.Speak(wording.New())
