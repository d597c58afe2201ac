package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"milaan/adapters/cli/terminal"
	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

func couriersCommand(deps Deps) *cobra.Command {
	var asJSON bool
	var sheets []string
	cmd := &cobra.Command{
		Use:   "couriers [FILE]",
		Short: "List the couriers, or say which courier a report is from and which column has which role",
		Long: `List the couriers whose reports are known, each with the three columns by which its
report is recognised at once. Other spellings of the columns are known too.

With a file, print which couriers recognise its header, and which column has which role.
The file may be CSV or a workbook (.xlsx, .xls, .ods, or an HTML table). The file - is
standard input.`,
		Example: `  milaan couriers
  milaan couriers remittance.csv
  milaan couriers remittance.csv --json`,
		Args: atMostOneFile,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringArrayVar(&sheets, "sheet", nil, sheetUsage)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		offline, err := deps.Offline()
		if err != nil {
			return err
		}
		if len(args) == 0 {
			return printCatalogue(cmd.OutOrStdout(), offline.Couriers.Catalogue(), asJSON)
		}
		text, err := readFile(cmd, args[0])
		if err != nil {
			return err
		}
		read := ports.Request{Courier: text, Workbooks: true, Sheets: sheets}
		recognitions, mapping, err := offline.Couriers.Recognise(ports.Content{Bytes: text, Workbook: true, Sheets: sheets})
		if err != nil {
			return namedError{explained(cmd.Context(), offline.Inspecting, read, err), names{reports: args, looking: true}}
		}
		return printRecognition(cmd.OutOrStdout(), recognitions, mapping, asJSON)
	}
	return cmd
}

// explained is why a file cannot be read as a report, as a run says it: the file may be an export or a bank's statement.
func explained(ctx context.Context, inspecting ports.Inspecting, read ports.Request, err error) error {
	fault, ok := errors.AsType[*domain.FileError](err)
	if !ok || !fault.NoHeader {
		return err
	}
	found, failed := inspecting.Inspect(ctx, nil, read)
	switch {
	case failed != nil:
	case found.Reports[0].Is == domain.StorefrontFile:
		return &domain.FileError{File: fault.File, Rule: domain.RuleOtherFile, NoHeader: true}
	case found.Reports[0].Is == domain.StatementFile:
		fault.OfBank = true
	}
	return err
}

type courierView struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Columns []string `json:"columns"` // its signature; empty for custom
}

func printCatalogue(w io.Writer, catalogue []ports.CourierInfo, asJSON bool) error {
	if asJSON {
		return printJSON(w, view.Each(catalogue, func(c *ports.CourierInfo) courierView {
			return courierView{ID: c.ID, Name: c.Name, Columns: view.OrEmpty(c.Signature)}
		}))
	}
	t := terminal.NewTable("ID", "NAME", "COLUMNS")
	for _, c := range catalogue {
		t.Add(c.ID, c.Name, cmp.Or(strings.Join(c.Signature, ", "), "(as --column or the request's columns say)"))
	}
	return terminal.WriteTables(w, t)
}

// recognitionView is the JSON that says which couriers recognise a file.
type recognitionView struct {
	RecognisedBy []recogniserView `json:"recognised_by"` // best first
	Columns      domain.Columns   `json:"columns"`       // role to column, as it would be read
}

type recogniserView struct {
	ID      string         `json:"id"`
	Name    string         `json:"name"`
	Exact   bool           `json:"exact"`
	Columns domain.Columns `json:"columns"`
}

func printRecognition(w io.Writer, recognitions []ports.Recognition, mapping domain.Mapping, asJSON bool) error {
	if asJSON {
		view := recognitionView{RecognisedBy: []recogniserView{}, Columns: mapping.ByRole()}
		for _, r := range recognitions {
			view.RecognisedBy = append(view.RecognisedBy, recogniserView{ID: r.Courier.ID, Name: r.Courier.Name, Exact: r.Exact,
				Columns: r.Mapping.ByRole()})
		}
		return printJSON(w, view)
	}
	known := terminal.NewTable("RECOGNISED BY", "NAME", "HOW")
	for _, r := range recognitions {
		how := "by other names of its columns"
		if r.Exact {
			how = "by its own columns"
		}
		known.Add(r.Courier.ID, r.Courier.Name, how)
	}
	roles := terminal.NewTable("ROLE", "COLUMN")
	for _, role := range domain.Roles() {
		roles.Add(role.String(), cmp.Or(shownColumns(mapping, role), "-"))
	}
	if len(recognitions) == 0 {
		return terminal.WriteTables(w, roles)
	}
	return terminal.WriteTables(w, known, roles)
}
