package runs

import (
	"cmp"
	"context"

	"milaan/domain"
)

// findAsked finds the mappings that the reports of a checked task name. It returns an error with
// CodeField for the faults of the check or, if there are none, for names that the account may not use.
func (r *Reconciling) findAsked(ctx context.Context, a domain.Account, t *task, faults domain.Faults) error {
	if err := faults.Err(); err != nil {
		return err
	}
	asked, err := r.askedFaults(ctx, a, t)
	return cmp.Or(err, asked.Err())
}

// askedFaults finds these mappings, and returns all faults of their names.
func (r *Reconciling) askedFaults(ctx context.Context, a domain.Account, t *task) (faults domain.Faults, err error) {
	for i, report := range t.reports {
		if report.mapping == "" {
			continue
		}
		position := 0
		if t.Reports != nil {
			position = i + 1
		}
		fault := domain.Fault{Field: domain.FieldMapping, Report: position, Rule: domain.RuleNotInPlan}
		if a.SavesMappings() && !t.Sandbox {
			if err := r.listNamed(ctx, a.ID, t); err != nil {
				return nil, err
			}
			found, known := domain.FindNamedMapping(t.named, report.mapping)
			if known {
				report.choice.Asked = &found
				continue
			}
			fault.Rule, fault.Value = domain.RuleNoMapping, domain.Shortened(report.mapping)
		} else if t.Sandbox {
			fault.Rule = domain.RuleNotInSandbox
		}
		faults.Add(true, fault)
	}
	return faults, nil
}

// listNamed lists the account's named mappings, once for each task.
func (r *Reconciling) listNamed(ctx context.Context, accountID string, t *task) (err error) {
	if !t.listed {
		t.named, err = r.NamedMappings(ctx, accountID)
		t.listed = err == nil
	}
	return err
}

// NamedMappings lists the mappings by which reports may be read whose courier nobody names.
func (r *Reconciling) NamedMappings(ctx context.Context, accountID string) ([]domain.NamedMapping, error) {
	if r.in.Named == nil {
		return nil, nil
	}
	return r.in.Named.ListNamed(ctx, accountID)
}

// recall looks up by which mappings the reports are read whose columns the request does not
// name: of a courier that is named, the one of a former report; else those that people have saved
// under names.
func (r *Reconciling) recall(ctx context.Context, accountID string, t *task) error {
	recalled := map[string]*domain.Mapping{}
	for _, report := range t.reports {
		if len(report.choice.Columns) > 0 || report.choice.Asked != nil {
			continue
		}
		if report.courier == "" || report.courier == domain.CustomCourier {
			if err := r.listNamed(ctx, accountID, t); err != nil {
				return err
			}
			report.choice.Named = t.named
		}
		if report.courier == "" {
			continue
		}
		saved, asked := recalled[report.courier]
		if !asked {
			m, found, err := r.in.Runs.Mapping(ctx, accountID, report.courier)
			if err != nil {
				return err
			}
			if found {
				saved = &m
			}
			recalled[report.courier] = saved
		}
		report.choice.Saved = saved
	}
	return nil
}
