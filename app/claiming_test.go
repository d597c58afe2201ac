package app

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

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
	return req
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
		requests := rapid.SliceOfN(someRequest, 1, 2)
		url := rapid.SampledFrom([]string{"", "a", "abc"})
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
