package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
	"milaan/tests/only"
)

// wholeAccounts lists, exports and closes the given number of accounts that are made up.
type wholeAccounts struct {
	*managed
	peers.Answers
	count  int
	closed []string
	fault  error // of an export, after its first bytes
	// subscribed says that there is a subscription, and billing is switched off.
	subscribed bool
}

func (w *wholeAccounts) List(_ context.Context, f ports.AccountFilter) iter.Seq2[domain.Account, error] {
	return func(yield func(domain.Account, error) bool) {
		if err := domain.CheckAccounts(f.Plan, f.Subscription); err != nil {
			yield(domain.Account{}, err)
			return
		}
		for i := range w.count {
			a := domain.Account{Email: fmt.Sprintf("shop%d@shop.example", i), Plan: domain.Pro, Subscription: domain.SubscriptionActive}
			if i == 2 {
				a.EndsAt = today.Start()
			}
			if !yield(a, nil) {
				return
			}
		}
	}
}

func (w *wholeAccounts) Close(_ context.Context, a domain.Account, c ports.Closing) error {
	if c.Confirm != a.Email {
		return domain.Faults{{Field: domain.FieldConfirm, Rule: domain.RuleConfirm}}.Err()
	}
	if w.subscribed && !c.LeaveSubscription {
		return domain.ErrOpenSubscription
	}
	w.closed = append(w.closed, a.Email+" by "+string(c.By.Way))
	return nil
}

func (w *wholeAccounts) Export(_ context.Context, accountID string, by domain.Actor) (*ports.AccountExport, error) {
	return &ports.AccountExport{Account: domain.Account{ID: accountID}}, nil
}

func (w *wholeAccounts) WriteExport(out io.Writer, e *ports.AccountExport) error {
	_, err := fmt.Fprintf(out, "{%q}\n", e.Account.ID)
	return errors.Join(err, w.fault)
}

func (w *wholeAccounts) whole() Deps {
	return w.depsOf(w, as[ports.ClosingAccounts](w), as[peers.Answers](w))
}

func TestAccountsAreListed(t *testing.T) {
	w := &wholeAccounts{managed: newManaged()}
	require.Equal(t, ran{stdout: "No accounts.\n"}, run(w.whole(), "account", "list"))
	require.Equal(t, ran{stdout: "[]\n"}, run(w.whole(), "account", "list", "--json"))
	w.count = 3
	lines := strings.Split(run(w.whole(), "account", "list").stdout, "\n")
	require.Regexp(t, `^E-MAIL +PLAN +SUBSCRIPTION +SINCE +PHONE +CAP +CREATED$`, lines[0])
	require.Regexp(t, `^shop1@shop.example +pro +active `, lines[2])
	require.Regexp(t, `^shop2@shop.example +pro +ended `, lines[3], "by now")
	var listed []any
	require.NoError(t, json.Unmarshal([]byte(run(w.whole(), "account", "list", "--json").stdout), &listed))
	require.Len(t, listed, 3)
	run(w.whole(), "account", "list", "--plan", "gold").refused(t, ExitUsage, "--plan must be solo, pro or enterprise")
}

func TestAnAccountIsClosedByItsAddress(t *testing.T) {
	w := &wholeAccounts{managed: newManaged()}
	require.Equal(t, ExitDone, run(w.whole(), "account", "create", "--email", asha, "--plan", "pro").code)
	for _, wrong := range [][]string{{}, {"--confirm", "ravi@shop.example"}} {
		got := run(w.whole(), append([]string{"account", "close", "--email", asha}, wrong...)...)
		got.refused(t, ExitUsage, "--confirm must be the e-mail address of the account")
	}
	require.Empty(t, w.closed)
	require.Equal(t, ran{stdout: "The account asha@shop.example is closed. Nothing is stored of it any more.\n"}, run(w.whole(), "account", "close", "--email", asha, "--confirm", asha))
	require.Equal(t, []string{"asha@shop.example by command_line"}, w.closed)
}

func TestAnAccountIsClosedWithoutItsSubscription(t *testing.T) {
	w := &wholeAccounts{managed: newManaged(), subscribed: true}
	require.Equal(t, ExitDone, run(w.whole(), "account", "create", "--email", asha, "--plan", "pro").code)
	got := run(w.whole(), "account", "close", "--email", asha, "--confirm", asha)
	got.refused(t, ExitFailed, "or add --leave-subscription: then Razorpay goes on charging until it is cancelled there")
	require.Empty(t, w.closed)
	got = run(w.whole(), "account", "close", "--email", asha, "--confirm", asha, "--leave-subscription")
	require.Equal(t, ran{stdout: "The account asha@shop.example is closed. Nothing is stored of it any more.\n",
		stderr: "If the account has a subscription at Razorpay, Razorpay goes on charging for it until it is cancelled there.\n"}, got)
	require.Len(t, w.closed, 1)
}

func TestAnExportIsAFileOnceItIsComplete(t *testing.T) {
	w := &wholeAccounts{managed: newManaged()}
	require.Equal(t, ExitDone, run(w.whole(), "account", "create", "--email", asha, "--plan", "pro").code)
	require.Equal(t, ran{stdout: "{\"0193-id\"}\n"}, run(w.whole(), "account", "export", "--email", asha))
	folder := t.TempDir()
	target := filepath.Join(folder, "asha.json")
	w.fault = errors.New("the disk is full")
	require.Equal(t, ExitFailed, run(w.whole(), "account", "export", "--email", asha, "-o", target).code)
	require.Empty(t, only.Value(os.ReadDir(folder))(t))
	long := filepath.Join(folder, strings.Repeat("a", 250)) // a temporary name is longer
	run(w.whole(), "account", "export", "--email", asha, "-o", long).refused(t, ExitFailed, "milaan: "+long+": ")
	w.fault = nil
	require.Equal(t, ran{stdout: target + " has everything that is stored of asha@shop.example.\n"}, run(w.whole(), "account", "export", "--email", asha, "-o", target))

	require.NoError(t, os.WriteFile(target, []byte("of last year"), 0o600))
	again := []string{"account", "export", "--email", asha, "-o", target}
	require.Equal(t, ran{code: ExitFailed, stderr: "milaan: " + target + " exists: give another name, or --force to overwrite it\n"}, run(w.whole(), again...))
	require.Equal(t, "of last year", string(only.Value(os.ReadFile(target))(t)))
	require.Equal(t, ExitDone, run(w.whole(), append(again, "--force")...).code)
	require.Equal(t, "{\"0193-id\"}\n", string(only.Value(os.ReadFile(target))(t)))
	require.Equal(t, os.FileMode(0o600), only.Value(os.Stat(target))(t).Mode())
}
