package runs

import (
	"context"
	"encoding/hex"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/domain"
	"milaan/ports"
)

// someRequest draws a request whose texts are one text, cut at random, so that
// two of them often differ in nothing but where a field ends.
var someRequest = rapid.Custom(func(t *rapid.T) ports.Request {
	text := rapid.SampledFrom([]string{"", "abc", "a\x00\x00\x00\x00\x00\x00\x00\x01b"}).Draw(t, "text")
	next := func(name string) string {
		n := rapid.IntRange(0, len(text)).Draw(t, name)
		cut := text[:n]
		text = text[n:]
		return cut
	}
	number := rapid.Ptr(rapid.IntRange(0, 2), true)
	req := ports.Request{
		Storefront: []byte(next("storefront")), Courier: []byte(next("courier")), CourierName: next("courierName"), Brand: next("brand"),
		OverdueDays: number.Draw(t, "days"), MinorGap: number.Draw(t, "gap"), Columns: map[string]string{},
	}
	for range rapid.IntRange(0, 2).Draw(t, "columns") {
		req.Columns[next("role")] = next("header")
	}
	for range rapid.IntRange(0, 2).Draw(t, "reports") {
		req.Reports = append(req.Reports, ports.Report{Courier: []byte(next("report")), CourierName: next("its courierName"), Columns: map[string]string{next("its role"): next("its header")}})
	}
	for range rapid.IntRange(0, 2).Draw(t, "sheets") {
		req.Sheets = append(req.Sheets, next("sheet"))
	}
	if rapid.Bool().Draw(t, "with a statement") {
		req.Statement = []byte(next("statement"))
	}
	if rapid.Bool().Draw(t, "with a ledger") {
		req.Previous = []byte(next("ledger"))
	}
	req.Include, req.Workbooks = domain.Include(rapid.IntRange(0, 2).Draw(t, "include")), rapid.Bool().Draw(t, "workbooks")
	req.Mapping = rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "mapping")
	req.Charges = rapid.SampledFrom([]domain.Charges{"", domain.FlagCharges, domain.AcceptCharges}).Draw(t, "charges")
	return req
})

// An instance whose secret is newer finds what one with the older
// secret has claimed, and the other way about, and tells requests apart.
func TestHashesByEachSecret(t *testing.T) {
	caller := ports.Caller{Account: domain.Account{ID: "account"}, RequestKey: "key"}
	older, newer := [32]byte{1}, [32]byte{2}
	keys, requests := (&Claiming{secrets: [][32]byte{newer, older}}).hashes(caller, fingerprint{1})
	formerKeys, formerRequests := (&Claiming{secrets: [][32]byte{older}}).hashes(caller, fingerprint{1})
	require.Equal(t, formerKeys, keys[1:])
	require.Equal(t, formerRequests, requests[1:])
	require.NotEqual(t, keys[0], keys[1])
	require.NotEqual(t, requests[0], requests[1])
	require.NotContains(t, requests, keys[0])

	standing := domain.RequestClaim{Key: formerKeys[0], Request: formerRequests[0], Holder: "first", RunID: "run"}
	for asked, want := range map[fingerprint]error{{1}: nil, {2}: domain.ErrKeyReused} {
		c := &Claiming{claims: stands{claim: standing, former: formerKeys}, secrets: [][32]byte{newer, older}, clock: time.Now}
		repeated := false
		err := c.once(t.Context(), caller, asked,
			func(domain.RequestClaim) error { return errors.New("it is made again") },
			func(claim domain.RequestClaim) error {
				repeated = claim == standing
				return nil
			})
		require.Equal(t, want, err)
		require.Equal(t, want == nil, repeated)
	}
}

// stands is ports.RequestClaims with one claim, that is found by its former hashes.
type stands struct {
	ports.RequestClaims
	claim  domain.RequestClaim
	former []domain.RequestHash
}

func (s stands) Take(_ context.Context, claim domain.RequestClaim, former ...domain.RequestHash) (domain.RequestClaim, error) {
	if !slices.Equal(former, s.former) {
		return claim, nil
	}
	return s.claim, nil
}

// TestFingerprintsOutliveAnUpgrade holds the fingerprint of a request that earlier versions know: a
// claim that one of them has stored stands for the same request.
func TestFingerprintsOutliveAnUpgrade(t *testing.T) {
	req := ports.Request{Storefront: []byte("o"), Courier: []byte("r"), CourierName: "custom", Brand: "b", Columns: map[string]string{"awb": "x"}, OverdueDays: new(7), Source: domain.SourceAPI}
	sum := runFingerprint(req)
	require.Equal(t, "efecf91c6f8d9b70ce884b391be53e32eb8771dbf798b73e7d6d8e3e10dda6e7", hex.EncodeToString(sum[:]))
}

// Two requests have one fingerprint exactly if they ask the same, wherever the bytes
// of one field end and those of the next begin.
func TestFingerprintsTellRequestsApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := someRequest.Draw(t, "a"), someRequest.Draw(t, "b")
		if equal := reflect.DeepEqual(a, b); equal != (runFingerprint(a) == runFingerprint(b)) {
			t.Fatalf("they are equal: %v, and their fingerprints are not so", equal)
		}
		b = a
		if b.Charges = domain.FlagCharges; (a.Charges == b.Charges) != (runFingerprint(a) == runFingerprint(b)) {
			t.Fatal("what charges are is not a part of the request, or not all of it")
		}
		if again := runFingerprint(a); again != runFingerprint(a) {
			t.Fatal("a fingerprint depends on the order of a map")
		}
		requests := rapid.SliceOfN(someRequest, 1, 2)
		url := rapid.SampledFrom([]string{"", "a", "abc"})
		first, second := requests.Draw(t, "first"), requests.Draw(t, "second")
		firstURL, secondURL := url.Draw(t, "first url"), url.Draw(t, "second url")
		equal := firstURL == secondURL && reflect.DeepEqual(first, second)
		if equal != (batchFingerprint(first, firstURL) == batchFingerprint(second, secondURL)) {
			t.Fatalf("the batches are equal: %v, and their fingerprints are not so", equal)
		}
		if batchFingerprint([]ports.Request{a}, "") == runFingerprint(a) {
			t.Fatal("a batch of one is no run")
		}
	})
}
