package domain_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// errors.Is compares codes, so no two errors may share one.
func TestErrorsAreToldApart(t *testing.T) {
	known := []*domain.Error{
		domain.ErrKey, domain.ErrSession, domain.ErrKeyAsSession, domain.ErrPhone, domain.ErrSubscription, domain.ErrSetup,
		domain.ErrPlan, domain.ErrNoAccount, domain.ErrAccountTaken, domain.ErrDatabase, domain.ErrBusy, domain.ErrUnsettled,
		domain.ErrUnreadable, domain.ErrNothingToDo,
	}
	for i, one := range known {
		for j, other := range known {
			require.Equal(t, i == j, one.Is(other), "%v and %v", one, other)
		}
	}
}

func TestErrorsRepeatNothingOfARequest(t *testing.T) {
	cause := errors.New("no route to db-7")
	for want, err := range map[string]error{
		"database_unavailable: no route to db-7": domain.ErrDatabase.Caused(cause),
		"body_invalid/syntax":                    domain.ErrBody(domain.DetailSyntax, "CONFIDENTIAL"),
		"field_invalid jobs/too_few brand/label columns/role": domain.Faults{{Field: domain.FieldJobs, Rule: domain.RuleTooFew},
			{Field: domain.FieldBrand, Rule: domain.RuleLabel, Job: 2}, {Field: domain.FieldColumns, Rule: domain.RuleRole, Value: "CONFIDENTIAL"}}.Err(),
	} {
		require.EqualError(t, err, want)
	}
	require.NoError(t, domain.Faults{}.Err())
	for f := domain.FieldJobs; f < domain.FieldCount; f++ {
		require.NotEmpty(t, f.String(), "%d", f)
	}
}

// Of a field that could not be read nothing else is said, and what is wrong with a
// batch's jobs stands between what comes before them and what comes after.
func TestFaultsAreInTheOrderOfFields(t *testing.T) {
	fault := func(f domain.Field, job int) domain.Fault {
		return domain.Fault{Field: f, Job: job, Rule: domain.RuleMissing}
	}
	unread := fault(domain.FieldWebhookURL, 0)
	faults := domain.Faults{unread, fault(domain.FieldColumns, 1), fault(domain.FieldJob, 2), fault(domain.FieldBrand, 1), fault(domain.FieldJobs, 0)}
	faults.Add(true, domain.Fault{Field: domain.FieldWebhookURL, Rule: domain.RuleHTTPS})
	faults.Add(false, fault(domain.FieldRequestKey, 0))
	require.Equal(t, domain.Faults{fault(domain.FieldJobs, 0), fault(domain.FieldBrand, 1), fault(domain.FieldColumns, 1), fault(domain.FieldJob, 2), unread}, faults.Sorted())
}
