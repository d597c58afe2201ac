package accounts_test

import (
	"context"
	"iter"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/app/accounts"
	"milaan/domain"
	"milaan/ports"
)

// ending is ports.ManagingBilling and ports.AllAccounts: it has an answer, and keeps what was
// asked for.
type ending struct {
	ports.ManagingBilling
	refusal error
	asked   []string
}

func (e *ending) EndAll(_ context.Context, accountID string, erase func() error) error {
	e.asked = append(e.asked, "end "+accountID)
	if e.refusal != nil {
		return e.refusal
	}
	return erase()
}

func (e *ending) Erase(_ context.Context, accountID string) error {
	e.asked = append(e.asked, "erase "+accountID)
	return nil
}

func (*ending) List(context.Context, ports.AccountFilter) iter.Seq2[domain.Account, error] {
	return nil
}

// An account whose subscription cannot be cancelled is closed if the operator says that the
// subscription is left as it is.
func TestAnAccountIsClosedAfterItsSubscription(t *testing.T) {
	t.Parallel()
	account := domain.Account{ID: "1", Email: "asha@shop.example"}
	for _, c := range []struct {
		refusal, want error
		leave         bool
		asked         []string
	}{
		{asked: []string{"end 1", "erase 1"}},
		{refusal: domain.ErrBilling, want: domain.ErrBilling, asked: []string{"end 1"}},
		{refusal: domain.ErrNoBilling, want: domain.ErrOpenSubscription, asked: []string{"end 1"}},
		{refusal: domain.ErrNoBilling, leave: true, asked: []string{"erase 1"}},
	} {
		e := &ending{refusal: c.refusal}
		closing := &accounts.Closing{All: e, Billing: e, Log: slog.New(slog.DiscardHandler)}
		err := closing.Close(t.Context(), account, ports.Closing{Confirm: account.Email, LeaveSubscription: c.leave, By: domain.ByCommandLine})
		require.ErrorIs(t, err, c.want)
		require.Equal(t, c.asked, e.asked)
	}
}
