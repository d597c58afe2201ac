package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// requestBody has the fields of the body of POST /reconcile that this command fills.
type requestBody struct {
	Shopify     string         `json:"shopify"`
	Courier     string         `json:"courier,omitempty"`
	CourierName string         `json:"courierName,omitempty"`
	Columns     domain.Columns `json:"columns,omitempty"`
	Mapping     string         `json:"mapping,omitempty"`
	Reports     []reportBody   `json:"reports,omitempty"` // several, in place of the four fields above
	Bank        string         `json:"bank,omitempty"`
	Previous    string         `json:"previous,omitempty"`
	Brand       string         `json:"brand,omitempty"`
	OverdueDays *int           `json:"overdue_threshold_days,omitempty"`
	MinorGap    *int           `json:"minor_gap_threshold,omitempty"`
	Charges     domain.Charges `json:"charges,omitempty"`
	Include     []string       `json:"include,omitempty"`
	Format      string         `json:"format,omitempty"` // of POST /report
}

// reportBody is one of several reports.
type reportBody struct {
	Courier     string         `json:"courier"`
	CourierName string         `json:"courierName,omitempty"`
	Columns     domain.Columns `json:"columns,omitempty"`
	Mapping     string         `json:"mapping,omitempty"`
}

func requestCommand(deps Deps) *cobra.Command {
	var body requestBody
	var given inputFlags
	cmd := &cobra.Command{
		Use:   "request ORDERS REPORT...",
		Short: "Print the body of POST /reconcile or POST /report for an export and its reports",
		Long: `Print the JSON body of POST /reconcile, or with --format that of POST /report, for an
orders export and up to 20 reports: for curl and other clients that cannot make one
themselves. Files and flags are as for milaan reconcile. JSON has texts only, so workbooks
are sent as CSV; a file that is neither is refused, and everything else is checked by the
service. Of a workbook the only sheet that looks like a table is sent, or the one that
--sheet names; of a report, each sheet with a known header that --sheet names is sent as a
report of its own. One of the files may be -, which is standard input.`,
		Example: `  milaan request orders.csv remittance.csv --brand Acme |
    curl -X POST http://127.0.0.1:8080/reconcile -H "Authorization: Bearer $KEY" \
      -H 'Content-Type: application/json' --data-binary @-
  milaan request orders.csv first.csv second.csv:dtdc --bank statement.csv --include payouts`,
		Args: exportAndReports,
	}
	flags := cmd.Flags()
	flags.StringVar(&body.Brand, "brand", "", "brand label of the run")
	flags.StringSliceVar(&body.Include, "include", nil, "what the answer has, too: "+strings.Join(domain.Inclusions(), ", "))
	flags.StringVar(&body.Format, "format", "", "format of the document, for POST /report: "+listed(domain.Formats()))
	flags.StringVar(&body.Mapping, "mapping", "", "name of a saved mapping of the account, by which every report is read (Enterprise)")
	given.addTo(cmd)
	for _, flag := range []string{"overdue-days", "minor-gap"} {
		flags.Lookup(flag).DefValue = "0" // not shown: the default is the account's, or the service's
	}
	flags.Lookup("previous").Usage = strings.TrimPrefix(previousUsage, "workbook or ")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := checkIncluded(body.Include); err != nil {
			return err
		}
		if body.Format != "" && !slices.Contains(domain.Formats(), domain.Format(body.Format)) {
			return usagef("--format is %q and must be one of %s", body.Format, listed(domain.Formats()))
		}
		offline, err := deps.Offline()
		if err != nil {
			return err
		}
		in, err := given.inputs(args, offline.Couriers)
		if err != nil {
			return err
		}
		given.terms.set(cmd, &body.OverdueDays, &body.MinorGap, &body.Charges)
		if err := domain.CheckTerms(body.OverdueDays, body.MinorGap, body.Charges).Err(); err != nil {
			return err
		}
		req := in.request()
		if err := in.read(cmd, &req); err != nil {
			return err
		}
		offline.Foresee(req.Bytes())
		if err := body.fill(&req, offline.Tables, offline.Couriers); err != nil {
			return in.name(err)
		}
		encoder := json.NewEncoder(cmd.OutOrStdout())
		encoder.SetEscapeHTML(false)
		return encoder.Encode(&body)
	}
	return cmd
}

func listed[V ~string](values []V) string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = string(v)
	}
	return strings.Join(names, ", ")
}

// fill fills the fields of the files.
func (b *requestBody) fill(req *ports.Request, tables peers.Tables, couriers ports.Couriers) (err error) {
	content := func(raw []byte) ports.Content {
		return ports.Content{Bytes: raw, Workbook: req.Workbooks, Sheets: req.Sheets}
	}
	if b.Shopify, err = textOf(tables, domain.StorefrontFile, content(req.Storefront)); err != nil {
		return err
	}
	reports := req.Reports
	if reports == nil {
		reports = []ports.Report{{Courier: req.Courier, CourierName: req.CourierName, Columns: req.Columns}}
	}
	for i, r := range reports {
		position := i + 1
		if len(reports) == 1 {
			position = 0
		}
		texts, err := textsOf(tables, couriers, position, content(r.Courier), r.Columns)
		if err != nil {
			return err
		}
		for _, text := range texts {
			b.Reports = append(b.Reports, reportBody{text, r.CourierName, r.Columns, b.Mapping})
		}
	}
	if b.Mapping = ""; len(b.Reports) == 1 {
		only := b.Reports[0]
		b.Mapping, b.Courier, b.CourierName, b.Columns, b.Reports = only.Mapping, only.Courier, only.CourierName, only.Columns, nil
	}
	if req.Statement != nil {
		if b.Bank, err = textOf(tables, domain.StatementFile, content(req.Statement)); err != nil {
			return err
		}
	}
	if req.Previous != nil {
		// A workbook has what people have noted on a sheet of its own, which one text cannot have.
		b.Previous, err = textOf(tables, domain.LedgerFile, ports.Content{Bytes: req.Previous})
	}
	return err
}

// textsOf returns the texts of a report: several, if it is a workbook of which a run would read
// several sheets.
func textsOf(tables peers.Tables, couriers ports.Couriers, report int, content ports.Content, columns domain.Columns) ([]string, error) {
	named := make(map[domain.Role]string, len(columns))
	for name, column := range columns {
		if role, known := domain.ParseRole(name); known {
			named[role] = column
		}
	}
	choice := ports.MappingChoice{Columns: named}
	sheets := couriers.Sheets(content, choice)
	texts := make([]string, max(1, len(sheets)))
	for i := range texts {
		if len(sheets) > 0 {
			content.Sheets = sheets[i : i+1]
		}
		read := content
		read.Bytes = bytes.Clone(content.Bytes)
		text, err := couriers.Remittances(read, choice).Text()
		if texts[i] = string(text); err == nil && text == nil {
			texts[i], err = textOf(tables, domain.CourierFile, content)
		}
		if fault, is := errors.AsType[*domain.FileError](err); is {
			fault.Report = report
		}
		if err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// textOf returns a file as the UTF-8 that JSON is made of: a CSV file as it is, but for
// UTF-16, which says so in its first bytes, and a workbook as CSV. What is neither is
// refused as a run would.
func textOf(tables peers.Tables, file domain.File, content ports.Content) (string, error) {
	raw := content.Bytes
	content.Bytes = bytes.Clone(raw)
	noHeader := func(int, [][]byte) error { return nil } // the service has a better message
	table, err := tables.Open(file, content, anyLine, noHeader)
	fault, _ := errors.AsType[*domain.FileError](err)
	if fault != nil && fault.Rule == domain.RuleSeveralSheets {
		if likely, _ := tables.Open(file, content, wideLine, noHeader); likely != nil {
			table, err = likely, nil
		}
	}
	if err != nil {
		return "", err
	}
	if table != nil {
		defer table.Close()
	}
	if s, is := table.(peers.Sheeted); is {
		if text, err := s.Text(); err != nil || text != nil {
			return string(text), err
		}
	}
	text, _, err := transform.Bytes(unicode.BOMOverride(transform.Nop), raw)
	return string(text), err
}

// anyLine takes every line for a header.
func anyLine([][]byte) (bool, error) { return true, nil }

// fewestColumns is how many columns a report has at least: cover sheets have fewer.
const fewestColumns = 3

// wideLine takes a line for a header that has as many cells as one.
func wideLine(cells [][]byte) (bool, error) {
	n := 0
	for _, cell := range cells {
		if len(cell) > 0 {
			n++
		}
	}
	return n >= fewestColumns, nil
}
