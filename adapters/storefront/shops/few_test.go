package shops_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/adapters/storefront/shops"
	"milaan/domain"
)

func TestShortListsAreReadAsAnyOthers(t *testing.T) {
	for text, want := range map[string]int{
		`[]`: 0, `[ ]`: 0, "[\n]": 0, `[1]`: 1, `[[]]`: 1, `[{}]`: 1, `[""]`: 1, `[null, "a,b", {"c": [1, 2]}]`: 3, `["\"],[\\"]`: 1, `null`: 0,
	} {
		var few shops.Few
		require.NoError(t, json.Unmarshal([]byte(text), &few), text)
		require.Len(t, few, want, text)
	}
	for _, text := range []string{`{"a": [1, 2]}`, `"[1,2]"`, `1`, `[` + strings.Repeat("1,", 100) + `1]`} {
		require.Error(t, json.Unmarshal([]byte(text), new(shops.Few)), text)
	}
	for text, want := range map[string]shops.Anything{`[]`: false, `[ ]`: false, `null`: false, `{"a": [1, 2]}`: false, `"[1,2]"`: false, `[1]`: true, `[[]]`: true, ` [ null ] `: true,
		`[` + strings.Repeat("1,", 1000) + `1]`: true} {
		var anything shops.Anything
		require.NoError(t, json.Unmarshal([]byte(text), &anything), text)
		require.Equal(t, want, anything, text)
	}
	value := rapid.Deferred(func() *rapid.Generator[any] { return anyJSON(3) })
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(value, 0, 5).Draw(t, "list")
		text, err := json.Marshal(all)
		require.NoError(t, err)
		var want []any
		var few shops.Few
		var anything shops.Anything
		require.NoError(t, json.Unmarshal(text, &want))
		require.NoError(t, json.Unmarshal(text, &few))
		require.NoError(t, json.Unmarshal(text, &anything))
		require.Len(t, few, len(want))
		for i := range want {
			require.Equal(t, want[i], few[i], "%s", text)
		}
		require.Equal(t, len(want) > 0, bool(anything), "%s", text)
	})
}

func anyJSON(depth int) *rapid.Generator[any] {
	plain := rapid.OneOf(rapid.Just[any](nil), rapid.Map(rapid.StringN(0, 5, -1), func(s string) any { return s + `,"\[]{}` }), rapid.Map(rapid.Int(), func(i int) any { return i }))
	if depth == 0 {
		return plain
	}
	return rapid.OneOf(plain,
		rapid.Map(rapid.SliceOfN(anyJSON(depth-1), 0, 3), func(all []any) any { return all }),
		rapid.Map(rapid.MapOfN(rapid.String(), anyJSON(depth-1), 0, 3), func(all map[string]any) any { return all }))
}

// A hostile shop cannot make few bytes much memory.
func TestAnswersOfHostileShops(t *testing.T) {
	var of domain.Shop
	var registry *shops.Registry
	var body string
	answer := func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, "oauth") {
			return false
		}
		w.Header().Set("X-WP-Total", "1")
		_, _ = w.Write([]byte(body))
		return true
	}
	requireFrugal := func(name string) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := registry.Fetch(t.Context(), of, window(45))
		runtime.ReadMemStats(&after)
		got, is := errors.AsType[*domain.ConnectorError](err)
		require.True(t, is, "%s: %v", name, err)
		require.Equal(t, domain.ConnAnswer, got.Rule, name)
		require.Less(t, (after.TotalAlloc-before.TotalAlloc)>>20, uint64(20), "MiB for %s", name)
	}
	long := func(begin, element, end string) string {
		return begin + strings.Repeat(element+",", 1<<19/(len(element)+1)) + element + end
	}
	shop, registry1, _ := newShopify(t, someOrders(1, time.Hour))
	of, registry = shopOf(shop), registry1
	require.NoError(t, registry.Test(t.Context(), of, 45))
	shop.Intercept(answer)
	for name, text := range map[string]string{
		"orders":      long(`{"data":{"orders":{"nodes":[`, `{}`, `]}}}`),
		"errors":      long(`{"errors":[`, `{}`, `]}`),
		"fulfilments": long(`{"data":{"orders":{"nodes":[{"fulfillments":[`, `{}`, `]}]}}}`),
		"parcels":     long(`{"data":{"orders":{"nodes":[{"fulfillments":[{"trackingInfo":[`, `{}`, `]}]}]}}}`),
		"gateways":    long(`{"data":{"orders":{"nodes":[{"paymentGatewayNames":[`, `""`, `]}]}}}`),
		"depth":       `{"data":` + strings.Repeat("[", 1<<19) + strings.Repeat("]", 1<<19) + `}`,
	} {
		body = text
		requireFrugal(name)
	}
	woo, registry2, _ := newWooCommerce(t, nil)
	of, registry = wooShop(woo), registry2
	woo.Intercept(answer)
	const order = `[{"id":7,"number":"7","status":"completed","date_created_gmt":"2026-11-01T10:00:00","currency":"INR",`
	for name, text := range map[string]string{
		"orders":   long(`[`, `{}`, `]`),
		"refunds":  long(order+`"refunds":[`, `0`, `]}]`), // and it has no total
		"metadata": long(order+`"meta_data":[`, `{}`, `]}]`),
		"parcels":  long(order+`"meta_data":[{"key":"_wc_shipment_tracking_items","value":[`, `{}`, `]}]}]`),
		"numbered": long(order+`"meta_data":[{"key":"_wc_shipment_tracking_items","value":{`, `"1":{}`, `}}]}]`),
	} {
		body = text
		requireFrugal(name)
	}
}
