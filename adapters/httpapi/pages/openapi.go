package pages

import (
	"bytes"
	_ "embed" // the description
	"encoding/json"
	"fmt"
	"strings"

	"milaan/ports"
)

// writtenDescription is the OpenAPI document as written by hand, with placeholders for the
// couriers, which the catalogue has. Their ids are named beside the type and no enum of it, so
// that other spellings that are accepted (Ecom Express) are valid too.
//
//go:embed openapi.json
var writtenDescription string

// mustDescribe returns the description with the couriers of the catalogue filled in. It panics
// if an embedded file is broken, which the tests would have found.
func mustDescribe(catalogue []ports.CourierInfo) []byte {
	ids, names := make([]string, len(catalogue)), make([]string, len(catalogue))
	for i, info := range catalogue {
		ids[i] = info.ID
		names[i] = fmt.Sprintf("`%s` (%s)", info.ID, info.Name)
	}
	enum, _ := json.Marshal(ids) // strings can always be encoded
	text, _ := json.Marshal(strings.Join(names, ", "))
	filled := strings.NewReplacer(`"{courier ids}"`, string(bytes.Trim(enum, "[]")), "{couriers}", string(bytes.Trim(text, `"`))).
		Replace(writtenDescription)
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(filled), "", "  "); err != nil {
		panic(fmt.Errorf("fill the couriers into openapi.json: %w", err))
	}
	return indented.Bytes()
}
