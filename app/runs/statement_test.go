package runs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/statement"
	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/app/runs"
	"milaan/couriers"
	"milaan/domain"
	"milaan/domain/bank"
)

func newReconcilingWithStatements() *runs.Reconciling {
	tables := table.New()
	return runs.NewReconciling(runs.ReconcilingParams{Storefronts: storefront.New(tables), Couriers: couriers.New(tables), ReadStatement: statement.New(tables).Read, Clock: time.Now})
}

// TestARunIsHeldAgainstAStatement uses the couriers' own names.
func TestARunIsHeldAgainstAStatement(t *testing.T) {
	t.Parallel()
	req := sampleRequest(t, "b")
	req.Statement = []byte("Date,Narration,Deposit Amt.\n01/03/2026,SALARY,1\n02/03/2026,NEFT-BIGFOOTRETAILSOL,5\n03/03/2026,BUSY BEES LOGISTICS,6\n")
	o, err := newReconcilingWithStatements().Preview(t.Context(), req)
	require.NoError(t, err)
	defer o.Release()
	require.Len(t, o.Statement.Payouts, len(o.Payouts()))
	require.Equal(t, "2026-03-01 2026-03-03", o.Statement.From.String()+" "+o.Statement.To.String())
	require.Equal(t, []bank.StatementLine{
		{Line: 3, On: o.Statement.From + 1, Amount: 500, Narration: "NEFT-BIGFOOTRETAILSOL", Courier: "shiprocket"},
		{Line: 4, On: o.Statement.To, Amount: 600, Narration: "BUSY BEES LOGISTICS", Courier: "xpressbees"},
	}, o.Statement.Others)

	req = sampleRequest(t, "b")
	o, err = newReconcilingWithStatements().Preview(t.Context(), req)
	require.NoError(t, err)
	defer o.Release()
	require.Nil(t, o.Statement)
}

// TestAStatementThatCannotBeReadEndsTheRun holds that it ends before the files are given
// back, and that a fault of the other files comes first.
func TestAStatementThatCannotBeReadEndsTheRun(t *testing.T) {
	t.Parallel()
	req := sampleRequest(t, "b")
	req.Statement = []byte("Date,Narration,Deposit Amt.\n01/03/2026,SALARY,1.2.3\n")
	req.Read = func() { t.Error("the files are given back") }
	_, err := newReconcilingWithStatements().Preview(t.Context(), req)
	require.Equal(t, &domain.FileError{File: domain.StatementFile, Rule: domain.RuleAmount, Line: 2, Column: "Deposit Amt.", Value: "1.2.3"}, err)

	req = sampleRequest(t, "b")
	req.Courier, req.Statement = []byte("nothing"), []byte{}
	_, err = newReconcilingWithStatements().Preview(t.Context(), req)
	require.ErrorIs(t, err, domain.ErrFile)
	require.Equal(t, domain.CourierFile, err.(*domain.FileError).File)
	require.False(t, err.(*domain.FileError).OfBank)

	req.Courier = []byte("My Bank\nDate,Narration,Deposit Amt.\n01/03/2026,SALARY,1\n")
	_, err = newReconcilingWithStatements().Preview(t.Context(), req)
	require.True(t, err.(*domain.FileError).OfBank, "a statement in place of a report")
}
