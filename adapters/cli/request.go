package cli

import (
	"encoding/json"

	"github.com/spf13/cobra"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"milaan/domain"
)

// requestBody is the body of POST /reconcile (contract, section 2.1), as far as
// this command fills it.
type requestBody struct {
	Shopify     string            `json:"shopify"`
	Courier     string            `json:"courier"`
	CourierName string            `json:"courierName,omitempty"`
	Columns     map[string]string `json:"columns,omitempty"`
	Brand       string            `json:"brand,omitempty"`
}

func requestCommand() *cobra.Command {
	var body requestBody
	var columns []string
	cmd := &cobra.Command{
		Use:   "request ORDERS.csv REMITTANCE.csv",
		Short: "Print the body of POST /reconcile for two files",
		Long: `Print the JSON body with which POST /reconcile takes two files, for curl and other
clients that cannot make one themselves. Nothing is read but the two files.`,
		Example: `  milaan request orders.csv remittance.csv --brand Acme > request.json
  curl -X POST http://127.0.0.1:8080/reconcile -H "Authorization: Bearer $KEY" \
    -H 'Content-Type: application/json' --data-binary @request.json`,
		Args: cobra.ExactArgs(2),
	}
	flags := cmd.Flags()
	flags.StringVar(&body.Brand, "brand", "", "brand label of the run")
	flags.StringVar(&body.CourierName, "courier", "", "courierName, a courier's id or custom")
	flags.StringArrayVar(&columns, "column", nil, "role=Header: which column plays which role (courier custom); may be given again")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var err error
		if body.Columns, err = parseColumns(columns); err != nil {
			return err
		}
		if len(columns) > 0 && body.CourierName == "" {
			body.CourierName = domain.CustomCourier
		}
		for i, into := range []*string{&body.Shopify, &body.Courier} {
			if *into, err = readText(args[i]); err != nil {
				return err
			}
		}
		encoder := json.NewEncoder(cmd.OutOrStdout())
		encoder.SetEscapeHTML(false)
		return encoder.Encode(body)
	}
	return cmd
}

// readText reads a file as the UTF-8 that JSON is made of. A UTF-16 file says so
// in its first bytes.
func readText(path string) (string, error) {
	raw, err := readFile(path)
	if err != nil {
		return "", err
	}
	text, _, err := transform.Bytes(unicode.BOMOverride(transform.Nop), raw)
	return string(text), err
}
