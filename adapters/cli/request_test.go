package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/cli"
)

func TestRequestPrintsTheBodyOfTwoFiles(t *testing.T) {
	dir := t.TempDir()
	orders, remittance := filepath.Join(dir, "orders.csv"), filepath.Join(dir, "remittance.csv")
	require.NoError(t, os.WriteFile(orders, []byte("Name,Total\n\"#1 <b>\",₹5\r\n"), 0o600))
	require.NoError(t, os.WriteFile(remittance, []byte("\xff\xfeA\x00W\x00B\x00\n\x00"), 0o600))

	var out, errs bytes.Buffer
	code := cli.Execute(t.Context(), cli.Deps{}, []string{"request", orders, remittance, "--brand", "Acme", "--column", "awb=AWB"}, &out, &errs)
	require.Zero(t, code, errs.String())
	var body map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &body))
	require.Equal(t, map[string]any{
		"shopify": "Name,Total\n\"#1 <b>\",₹5\r\n", "courier": "AWB\n", "courierName": "custom", "brand": "Acme", "columns": map[string]any{"awb": "AWB"},
	}, body)

	out.Reset()
	require.Equal(t, cli.ExitFailed, cli.Execute(t.Context(), cli.Deps{}, []string{"request", orders, filepath.Join(dir, "none.csv")}, &out, &errs))
	require.Empty(t, out.String(), "a body with one file would be wrong")
}
