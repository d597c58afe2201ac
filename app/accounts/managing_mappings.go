package accounts

import (
	"context"
	"slices"
	"strings"

	"milaan/app/runs"
	"milaan/domain"
	"milaan/ports"
)

func (m *Managing) Mappings(ctx context.Context, accountID string) ([]ports.StoredMapping, error) {
	return m.Saved.List(ctx, accountID)
}

// RemoveMapping finds the id of the courier, under which its mapping is saved.
func (m *Managing) RemoveMapping(ctx context.Context, accountID, courier string, by domain.Actor) error {
	if !domain.IsStorable(courier) {
		return domain.ErrNoMapping
	}
	return m.Saved.Remove(ctx, accountID, courier, m.event(domain.SecurityMappingGone, courier, by))
}

func (m *Managing) NamedMappings(ctx context.Context, accountID string) ([]domain.NamedMapping, error) {
	return m.Named.ListNamed(ctx, accountID)
}

func (m *Managing) SaveMapping(ctx context.Context, a domain.Account, given ports.NewNamedMapping, by domain.Actor) error {
	if !a.SavesMappings() {
		return domain.ErrMappingPlan
	}
	saved := domain.NamedMapping{Name: strings.TrimSpace(given.Name), Header: given.Header, SavedAt: m.Clock()}
	faults := checkName(domain.FieldMapping, saved.Name)
	columns, fault := runs.ColumnsByRole(given.Columns)
	for role, name := range columns {
		saved.Mapping[role] = name
		if slices.ContainsFunc(domain.SplitColumns(name), func(one string) bool { return len(one) > domain.MaxColumnName }) {
			fault = domain.Fault{Field: domain.FieldColumns, Rule: domain.RuleLabel, Max: domain.MaxColumnName}
		}
	}
	if fault.Rule == "" && saved.Mapping.MissingRoles() != nil {
		fault = domain.Fault{Field: domain.FieldColumns, Rule: domain.RuleMissing}
	}
	if role, is := saved.Mapping.Misfit(given.Names); is && given.Names != nil && fault.Rule == "" {
		fault = domain.Fault{Field: domain.FieldColumns, Rule: domain.RuleMisfit, Role: role, Value: domain.Shortened(saved.Mapping[role])}
	}
	faults.Add(fault.Rule != "", fault)
	faults.Add(saved.Header == domain.HeaderHash{}, domain.Fault{Field: domain.FieldHeader, Rule: domain.RuleMissing})
	if err := faults.Err(); err != nil {
		return err
	}
	return m.Named.Save(ctx, a.ID, saved, given.Replace, m.event(domain.SecurityMapping, saved.Name, by))
}

// RenameMapping keeps the time at which the mapping was saved.
func (m *Managing) RenameMapping(ctx context.Context, accountID, name, to string, by domain.Actor) error {
	to = strings.TrimSpace(to)
	faults := checkName(domain.FieldNewName, to)
	faults.Add(name == "", domain.Fault{Field: domain.FieldMapping, Rule: domain.RuleMissing})
	if err := faults.Err(); err != nil {
		return err
	}
	if !domain.GoodMappingName(name) {
		return domain.ErrNoNamedMapping
	}
	return m.Named.Rename(ctx, accountID, name, to, m.event(domain.SecurityMapping, to, by))
}

func (m *Managing) RemoveNamedMapping(ctx context.Context, accountID, name string, by domain.Actor) error {
	if !domain.GoodMappingName(name) {
		return domain.ErrNoNamedMapping
	}
	return m.Named.RemoveNamed(ctx, accountID, name, m.event(domain.SecurityMappingGone, name, by))
}

func checkName(of domain.Field, name string) (faults domain.Faults) {
	faults.Add(name == "", domain.Fault{Field: of, Rule: domain.RuleMissing})
	bad := !domain.GoodMappingName(name) || !domain.GoodLabel(name)
	faults.Add(name != "" && bad, domain.Fault{Field: of, Rule: domain.RuleLabel, Max: domain.MaxLabel})
	return faults
}
