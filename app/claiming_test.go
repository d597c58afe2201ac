package app

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"milaan/ports"
)

var somePieces = rapid.SliceOfN(rapid.SampledFrom([]byte{'a', 'b', 0, 1, 0xff}), 0, 3)

var someRequest = rapid.Custom(func(t *rapid.T) ports.Request {
	text := rapid.Map(somePieces, func(b []byte) string { return string(b) })
	number := rapid.Ptr(rapid.IntRange(0, 2), true)
	return ports.Request{
		Storefront: somePieces.Draw(t, "storefront"), Courier: somePieces.Draw(t, "courier"), CourierName: text.Draw(t, "courierName"),
		Brand: text.Draw(t, "brand"), Columns: rapid.MapOfN(text, text, 0, 3).Draw(t, "columns"),
		OverdueDays: number.Draw(t, "days"), MinorGap: number.Draw(t, "gap"),
	}
})

// Two requests have one digest exactly if they ask the same, wherever the bytes
// of one field end and those of the next begin.
func TestDigestsTellRequestsApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := someRequest.Draw(t, "a"), someRequest.Draw(t, "b")
		if equal := reflect.DeepEqual(a, b); equal != (askedRun(a) == askedRun(b)) {
			t.Fatalf("they are equal: %v, and their digests are not so", equal)
		}
		if askedRun(a) != askedRun(a) {
			t.Fatal("a digest depends on the order of a map")
		}
		requests := rapid.SliceOfN(someRequest, 1, 3)
		url := rapid.SampledFrom([]string{"", "a", "https://a.example"})
		first, second := requests.Draw(t, "first"), requests.Draw(t, "second")
		firstURL, secondURL := url.Draw(t, "first url"), url.Draw(t, "second url")
		equal := firstURL == secondURL && reflect.DeepEqual(first, second)
		if equal != (askedBatch(first, firstURL) == askedBatch(second, secondURL)) {
			t.Fatalf("the batches are equal: %v, and their digests are not so", equal)
		}
		if askedBatch([]ports.Request{a}, "") == askedRun(a) {
			t.Fatal("a batch of one is no run")
		}
	})
}
