package domain_test

import (
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
			require.Equal(t, i == j, one.Is(other), "%s and %s", one.Text, other.Text)
		}
	}
}
