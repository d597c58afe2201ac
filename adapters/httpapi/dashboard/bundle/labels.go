package bundle

import (
	"bytes"
	"encoding/json"

	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/domain/bank"
)

// LabelsFile is the source with the labels, in the folder of the sources.
const LabelsFile = "labels.ts"

// labels returns the source with the labels of adapters/wording, by the values of the API.
func labels() []byte {
	flags, credits := map[string]string{}, map[string]string{}
	for f := range len(domain.FlagCounts{}) {
		flags[domain.Flag(f).String()] = wording.Flag(domain.Flag(f)).Name
	}
	for s := range bank.CreditStates {
		state := bank.CreditState(s)
		credits[state.String()] = wording.Credit(state)
	}
	parts := map[string]string{"read": wording.PartRead, "matched": wording.PartMatched, "unclaimed": wording.PartUnclaimed,
		"repeated": wording.PartRepeated, "corrected": wording.PartCorrected, "unidentified": wording.PartUnidentified}
	connections, passes := texts(wording.ConnectionStates), texts(wording.PassOutcomes)
	connections["failing"], passes["waiting"] = wording.ConnectionFailing, wording.PassWaiting
	var b bytes.Buffer
	b.WriteString("// Made of adapters/wording (english.json, labels.go) by go generate ./adapters/httpapi/dashboard/assets.\n\n")
	for _, table := range []struct {
		name   string
		labels map[string]string
	}{{"flags", flags}, {"credits", credits}, {"parts", parts}, {"connections", connections}, {"passes", passes},
		{"deliveries", texts(wording.DeliveryStates)}} {
		text, _ := json.MarshalIndent(table.labels, "", "  ") // texts always encode
		b.WriteString("export const " + table.name + ": Record<string, string> = " + string(text) + ";\n")
	}
	return b.Bytes()
}

func texts[T ~string](labels map[T]string) map[string]string {
	byText := map[string]string{}
	for value, label := range labels {
		byText[string(value)] = label
	}
	return byText
}
