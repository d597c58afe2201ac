package cli

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/glue"
)

// requestBody has the fields of the body of POST /reconcile (contract, section 2.1) that
// this command fills.
type requestBody struct {
	Shopify     string            `json:"shopify"`
	Courier     string            `json:"courier"`
	CourierName string            `json:"courierName,omitempty"`
	Columns     map[string]string `json:"columns,omitempty"`
	Brand       string            `json:"brand,omitempty"`
	OverdueDays *int              `json:"overdue_threshold_days,omitempty"`
	MinorGap    *int              `json:"minor_gap_threshold,omitempty"`
}

func requestCommand(deps Deps) *cobra.Command {
	var body requestBody
	var columns []string
	var terms termFlags
	cmd := &cobra.Command{
		Use:   "request ORDERS.csv REMITTANCE.csv",
		Short: "Print the body of POST /reconcile for two files",
		Long: `Print the JSON body of POST /reconcile for two files, for curl and other clients that
cannot make one themselves. A file that is not CSV at all is refused; everything else is
checked by the service. One of the two files may be -, which is standard input.`,
		Example: `  milaan request orders.csv remittance.csv --brand Acme |
    curl -X POST http://127.0.0.1:8080/reconcile -H "Authorization: Bearer $KEY" \
      -H 'Content-Type: application/json' --data-binary @-`,
		Args: twoFiles,
	}
	flags := cmd.Flags()
	flags.StringVar(&body.Brand, "brand", "", "brand label of the run")
	flags.StringVar(&body.CourierName, "courier", "", courierUsage)
	flags.StringArrayVar(&columns, "column", nil, columnUsage)
	terms.addTo(cmd)
	for _, flag := range []string{"overdue-days", "minor-gap"} {
		flags.Lookup(flag).DefValue = "0" // not shown: the default is the account's, or the service's
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var err error
		if body.Columns, err = parseColumns(columns); err != nil {
			return err
		}
		if len(columns) > 0 && body.CourierName == "" {
			body.CourierName = domain.CustomCourier
		}
		body.OverdueDays, body.MinorGap = terms.set(cmd)
		if err := domain.CheckTerms(body.OverdueDays, body.MinorGap).Err(); err != nil {
			return err
		}
		tables, err := deps.Tables()
		if err != nil {
			return err
		}
		if body.Shopify, err = readText(cmd, tables, deps.Wording, domain.StorefrontFile, args[0]); err != nil {
			return err
		}
		if body.Courier, err = readText(cmd, tables, deps.Wording, domain.CourierFile, args[1]); err != nil {
			return err
		}
		encoder := json.NewEncoder(cmd.OutOrStdout())
		encoder.SetEscapeHTML(false)
		return encoder.Encode(body)
	}
	return cmd
}

// readText reads a CSV file as the UTF-8 that JSON is made of. A UTF-16 file
// says so in its first bytes; what is no CSV is refused as a run would.
func readText(cmd *cobra.Command, tables glue.Tables, words glue.Wording, file domain.File, path string) (string, error) {
	raw, err := readFile(cmd, path)
	if err != nil {
		return "", err
	}
	anyHeader := func([][]byte) (bool, error) { return true, nil }
	noHeader := func(int, [][]byte) error { return nil } // the service has a better message
	table, err := tables.Open(file, ports.Text(bytes.Clone(raw)), anyHeader, noHeader)
	if err != nil {
		return "", errors.New(names{map[domain.File]string{file: path}}.message(err, words))
	}
	if table != nil {
		table.Close()
	}
	text, _, err := transform.Bytes(unicode.BOMOverride(transform.Nop), raw)
	return string(text), err
}
