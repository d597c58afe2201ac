package autopilot

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.uber.org/fx"

	"milaan/app/ids"
	"milaan/app/runs"
	"milaan/domain"
	"milaan/ports"
)

// KeepingFiles keeps the reports that people upload for the autopilot.
type KeepingFiles struct {
	fx.In

	Accounts    ports.Accounts
	Connections ports.Connections
	Files       ports.KeptFiles
	Sources     ports.ReportSources
	Reconciling *runs.Reconciling
	Clock       ports.Clock
}

// Keep reads the report first, as a pass would read it.
func (k *KeepingFiles) Keep(ctx context.Context, file domain.KeptFile, content []byte) (domain.KeptFile, error) {
	c, err := k.Connections.Find(ctx, file.AccountID, file.ConnectionID)
	if err != nil {
		return domain.KeptFile{}, err
	}
	account, err := k.Accounts.ByID(ctx, file.AccountID)
	if err != nil {
		return domain.KeptFile{}, err
	}
	file.ID, file.Name, file.Bytes, file.At = ids.New(), fileName(file.Name), int64(len(content)), k.Clock()
	source, faults := k.check(&c, file)
	if err := faults.Err(); err != nil {
		return domain.KeptFile{}, err
	}
	// Reading may alter the content.
	if _, err := k.Reconciling.ReadWithoutOrders(ctx, account, source, bytes.Clone(content)); err != nil {
		return domain.KeptFile{}, err
	}
	if err := k.Files.Add(ctx, file, content); err != nil {
		return domain.KeptFile{}, err
	}
	return file, nil
}

func (k *KeepingFiles) check(c *domain.Connection, file domain.KeptFile) (source domain.ReportSource, faults domain.Faults) {
	var kept []string
	for _, s := range c.Sources {
		if ports.FindConnector(k.Sources.Catalogue(), s.Connector).Kept {
			kept = append(kept, s.ID)
		}
	}
	if !slices.Contains(kept, file.SourceID) {
		faults.Add(true, domain.Fault{Field: domain.FieldSources, Rule: domain.RuleOneOf, Options: kept, Value: domain.Shortened(file.SourceID)})
	} else {
		source = c.Sources[c.Source(file.SourceID)-1]
	}
	faults.Add(file.Bytes == 0, domain.Fault{Field: domain.FieldFile, Rule: domain.RuleNoFile})
	faults.Add(file.Bytes > domain.MaxKeptFile, domain.Fault{Field: domain.FieldFile, Rule: domain.RuleFileBytes, Max: domain.MaxKeptFile})
	return source, faults.Sorted()
}

// fileName returns a name of a file without folders and without what cannot be shown, of at
// most domain.MaxFileName bytes. It keeps the end, which tells the kind and often the date.
func fileName(name string) string {
	name = strings.ToValidUTF8(name[strings.LastIndexAny(name, `/\`)+1:], "")
	name = strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return -1
		}
		return r
	}, name))
	for len(name) > domain.MaxFileName {
		_, size := utf8.DecodeRuneInString(name)
		name = name[size:]
	}
	return cmp.Or(name, "report")
}

func (k *KeepingFiles) KeptFiles(ctx context.Context, accountID, connectionID string) ([]domain.KeptFile, error) {
	if _, err := k.Connections.Find(ctx, accountID, connectionID); err != nil {
		return nil, err
	}
	return k.Files.List(ctx, accountID, connectionID)
}

func (k *KeepingFiles) RemoveKept(ctx context.Context, accountID, connectionID, id string) error {
	return k.Files.Remove(ctx, accountID, connectionID, id)
}
