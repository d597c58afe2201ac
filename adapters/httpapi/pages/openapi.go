package pages

import (
	"bytes"
	_ "embed" // the description
	"encoding/json"
	"fmt"
	"strings"

	"milaan/ports"
)

// writtenDescription is the OpenAPI document as written by hand. What it
// cannot know, the couriers, has a placeholder. The ids are one of two
// alternatives, so that the spellings that are accepted as well (Ecom Express)
// are valid too.
//
//go:embed openapi.json
var writtenDescription string

// describe is the written description with the couriers of the catalogue in it.
func describe(catalogue []ports.CourierInfo) ([]byte, error) {
	ids, names := make([]string, len(catalogue)), make([]string, len(catalogue))
	for i, info := range catalogue {
		ids[i] = info.ID
		names[i] = fmt.Sprintf("`%s` (%s)", info.ID, info.Name)
	}
	enum, _ := json.Marshal(ids) // strings can always be encoded
	text, _ := json.Marshal(strings.Join(names, ", "))
	filled := strings.NewReplacer(`"{courier ids}"`, string(bytes.Trim(enum, "[]")), "{couriers}", string(bytes.Trim(text, `"`))).Replace(writtenDescription)
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(filled), "", "  "); err != nil {
		return nil, fmt.Errorf("fill the couriers into openapi.json: %w", err)
	}
	return indented.Bytes(), nil
}
