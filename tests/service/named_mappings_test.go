package service

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// unknown is a report of a courier whose columns nobody knows, and unknownToo one that has the same
// columns and one more. Which column is taken for what was paid can be told by the amount.
const (
	unknown    = "Docket,Door,Bank,Sent On\nAWB1001,500,450,2026-10-10\n"
	unknownToo = "Docket,Door,Bank,Sent On,Zone\nAWB1001,500,450,2026-10-10,A\n"
)

var (
	byDoor = Body{"awb": "Docket", "remitted_amount": "Door", "remittance_date": "Sent On"}
	byBank = Body{"awb": "Docket", "remitted_amount": "Bank", "remittance_date": "Sent On"}
)

// aMapping is a mapping that is sent to be saved, of a header that no test has.
func aMapping(name string) Body {
	hash := sha256.Sum256([]byte(name))
	return Body{"name": name, "header": hex.EncodeToString(hash[:]), "columns": byDoor}
}

func (b *Browser) saveMapping(t *testing.T, name, report string, columns Body, more Body) Answer {
	t.Helper()
	seen := b.inspect(t, Body{"courier": report, "columns": columns}).Reports[0]
	require.NotEmpty(t, seen.HeaderHash)
	body := Body{"name": name, "header": seen.HeaderHash, "columns": columns}
	maps.Copy(body, more)
	return b.Send(t, http.MethodPost, "/app/api/named-mappings", body)
}

func (b *Browser) savesMapping(t *testing.T, name, report string, columns Body) {
	t.Helper()
	a := b.saveMapping(t, name, report, columns, nil)
	require.Equal(t, http.StatusNoContent, a.Status, string(a.Body))
}

// TestNamedMappings holds that a mapping with a name is found by its header, and how a request
// names it (guide: verdict 1).
func TestNamedMappings(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	enterprise := func(t *testing.T) (*Customer, *Browser) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		return c, c.SignIn(t)
	}
	const none = "courier file (courier), line 1: no column was found for"
	t.Run("is found by its exact header, and no other one overwrites it", func(t *testing.T) {
		c, b := enterprise(t)
		c.Reconcile(t, Small().With("courier", unknown)).Refused(t, 400, none)
		b.savesMapping(t, "Bharat Express", unknown, byBank)
		require.Equal(t, "450", remittedAs(t, c, Body{"courier": unknown}))
		c.Reconcile(t, Small().With("courier", unknownToo)).Refused(t, 400, none)
		b.savesMapping(t, "Speedy", unknownToo, byDoor)
		s.Clock.Advance(time.Minute)
		require.Equal(t, "500", remittedAs(t, c, Body{"courier": unknownToo}))
		require.Equal(t, "450", remittedAs(t, c, Body{"courier": unknown, "brand": "b"}))
		inOtherOrder := "sent on,BANK,Door.,Docket\n2026-10-10,450,500,AWB1001\n"
		require.Equal(t, "450", remittedAs(t, c, Body{"courier": inOtherOrder, "brand": "c"}))
		require.Equal(t, "450", remittedAs(t, c, Body{"courier": "Payout of October\n\n" + unknown, "courierName": "custom", "brand": "d"}))
	})
	t.Run("a courierName decides before a header does", func(t *testing.T) {
		c, b := enterprise(t)
		b.savesMapping(t, "by value", byBoth, Body{"awb": "AWB No", "cod_amount": "Order Value", "remittance_date": "Remittance Date"})
		require.Equal(t, "500", remittedAs(t, c, Body{"courier": byBoth}))
		require.Equal(t, "400", paid(t, c, byBoth), "of the courier, which is named")
		require.Equal(t, "450", remittedAs(t, c, Body{"courier": unknown, "courierName": "custom", "columns": byBank, "brand": "b"}))
		b.savesMapping(t, "by door", unknown, byDoor)
		require.Equal(t, "450", remittedAs(t, c, Body{"courier": unknown, "courierName": "custom", "brand": "c"}), "the one of custom stays")
		require.Equal(t, "500", remittedAs(t, c, Body{"courier": unknown, "brand": "d"}))
	})
	t.Run("two that fit are asked about, and the field mapping answers", func(t *testing.T) {
		c, b := enterprise(t)
		b.savesMapping(t, "Express", unknown, byBank)
		b.savesMapping(t, "Also Express", unknown, byBank)
		require.Equal(t, "450", remittedAs(t, c, Body{"courier": unknown}), "two that name the same columns are one")
		b.savesMapping(t, "Door to door", unknown, byDoor)
		both := Small().With("courier", unknown).With("brand", "b")
		c.Reconcile(t, both).Refused(t, 400, `courier file (courier): has the header of several saved mappings that name different columns: "Also Express", "Door to door", "Express"`)
		seen := b.inspect(t, Body{"courier": unknown}).Reports[0]
		require.Equal(t, []string{"Also Express", "Door to door", "Express"}, seen.SavedNames)
		require.Nil(t, seen.Fault)
		require.Equal(t, "report", seen.Is)
		require.Equal(t, "500", c.Run(t, both.With("mapping", " door  TO door ")).Results[0].Remitted.String())
		require.Equal(t, "450", c.Run(t, both.With("mapping", "Express").With("courierName", "custom").With("brand", "c")).Results[0].Remitted.String())
		several := Small().With("brand", "d").With("reports", []Body{{"courier": unknown, "mapping": "Express"}})
		delete(several, "courier")
		require.Equal(t, "450", c.Run(t, several).Results[0].Remitted.String())
		require.Equal(t, "500", c.SendForm(t, both.With("brand", "e").With("mapping", "Door to door").Form(t)).Run(t).Results[0].Remitted.String())
		done := c.Complete(t, Jobs(both.With("brand", "f").With("mapping", "Express"), both.With("brand", "g")))
		require.Equal(t, "450", done.Results[0].Results[0].Remitted.String())
		require.Contains(t, *done.Results[1].Error, "Door to door")
		require.Equal(t, http.StatusOK, c.Document(t, both.With("brand", "h").With("format", "csv").With("mapping", "Express")).Status)
		require.Equal(t, "500", b.reconcile(t, both.With("mapping", "Door to door").With("brand", "i")).Results[0].Remitted.String())
	})
	t.Run("a letter with a dot below it is the same in both of its spellings", func(t *testing.T) {
		c, b := enterprise(t)
		const one, other = "\u0921\u093c", "\u095c" // ड़, as two characters and as one
		b.savesMapping(t, "बड"+one, "जो"+one+",Bank,Sent On\nAWB1001,450,2026-10-10\n", Body{"awb": "जो" + one, "remitted_amount": "Bank"})
		report := Small().With("courier", "जो"+other+",Bank,Sent On\nAWB1001,450,2026-10-10\n")
		require.Equal(t, "450", c.Run(t, report).Results[0].Remitted.String())
		require.Equal(t, "450", c.Run(t, report.With("brand", "b").With("mapping", "बड"+other)).Results[0].Remitted.String())
		columns := Body{"awb": "जो" + one, "remitted_amount": "Bank"}
		require.Equal(t, "450", remittedAs(t, s.Customer(t), Body{"courierName": "custom", "columns": columns, "courier": report["courier"]}))
	})
	t.Run("what a report has besides the header of the mapping that is named is looked for", func(t *testing.T) {
		c, b := enterprise(t)
		const withStatus = "Docket,Door,Bank,Sent On,Remittance Status\nAWB1001,500,450,2026-10-10,Pending\n"
		b.savesMapping(t, "Express", unknown, byBank)
		asked := Small().With("mapping", "Express")
		require.Equal(t, "0", c.Run(t, asked.With("courier", withStatus)).Results[0].Remitted.String(), "pending money is not paid")
		b.savesMapping(t, "Whole", withStatus, byBank)
		require.Equal(t, "450", c.Run(t, asked.With("courier", withStatus).With("mapping", "Whole").With("brand", "b")).Results[0].Remitted.String(),
			"the person has seen the status, and left it out")
	})
	t.Run("the field mapping is refused beside what it contradicts, and where there is none", func(t *testing.T) {
		c, b := enterprise(t)
		b.savesMapping(t, "Express", unknown, byBank)
		asked := Small().With("courier", unknown).With("mapping", "Express")
		const alone = "mapping chooses all columns of a report"
		c.Reconcile(t, asked.With("courierName", "custom").With("columns", byDoor)).Refused(t, 400, alone)
		c.Reconcile(t, asked.With("courierName", "dtdc")).Refused(t, 400, alone)
		c.Reconcile(t, asked.With("mapping", "Other")).Refused(t, 400, `mapping is "Other", and the account has no saved mapping of this name`)
		c.Reconcile(t, asked.With("mapping", 7)).Refused(t, 400, "mapping must be a string")
		c.Reconcile(t, asked.With("courier", byBoth)).Refused(t, 400, `courier file (courier), line 1: there is no column "Docket", which the saved mapping "Express" names for awb`)
		c.Batch(t, Jobs(asked.With("brand", "a"), asked.With("brand", "b").With("mapping", "Other"))).Refused(t, 400, "jobs[1].mapping is")
		pro := s.Customer(t)
		pro.Reconcile(t, asked).Refused(t, 400, "mapping is for the Enterprise plan")
		s.Customer(t, OnPlan(domain.Enterprise)).Reconcile(t, asked).Refused(t, 400, `mapping is "Express", and the account has no saved`)
		require.Equal(t, "450", c.Run(t, asked.With("mapping", "")).Results[0].Remitted.String(), "blank names none")
		first := c.Keyed(t, "/reconcile", "k", asked.With("brand", "k"))
		c.Keyed(t, "/reconcile", "k", asked.With("brand", "k")).Repeats(t, first)
		c.Keyed(t, "/reconcile", "k", asked.With("brand", "k").With("mapping", "")).Refused(t, 409, keyReused)
	})
	t.Run("a document of files that are read otherwise by now is of another run", func(t *testing.T) {
		c, b := enterprise(t)
		document := func() string {
			s.Clock.Advance(time.Minute)
			a := c.Document(t, Small().With("courier", unknown).With("format", "dispute"))
			require.Equal(t, http.StatusOK, a.Status, string(a.Body))
			return a.Header.Get("X-Run-Id")
		}
		b.savesMapping(t, "Express", unknown, byBank)
		require.NotEmpty(t, document())
		require.Empty(t, document(), "the run was made")
		require.Equal(t, http.StatusNoContent, b.saveMapping(t, "Express", unknown, byDoor, Body{"replace": true}).Status)
		require.NotEmpty(t, document(), "it must not refer to a run with other sums")
		require.Empty(t, document())
		require.Equal(t, http.StatusNoContent, b.saveMapping(t, "Express", unknown, byBank, Body{"replace": true}).Status)
		require.Empty(t, document(), "the first run has these sums")
	})
	t.Run("a repeat of a batch needs the mapping no more", func(t *testing.T) {
		c, b := enterprise(t)
		b.savesMapping(t, "Express", unknown, byBank)
		batch := Jobs(Small().With("courier", unknown).With("mapping", "Express").With("brand", "a"))
		first := c.Keyed(t, "/reconcile/batch", "k", batch).Accepted(t)
		require.Equal(t, http.StatusNoContent, b.Send(t, http.MethodDelete, "/app/api/named-mappings?name=Express", nil).Status)
		require.Equal(t, first.BatchID, c.Keyed(t, "/reconcile/batch", "k", batch).Accepted(t).BatchID)
		const missing = `jobs[0].mapping is "Express", and the account has no saved mapping of this name`
		c.Keyed(t, "/reconcile/batch", "other", batch).Refused(t, 400, missing)
		batch["webhook_url"] = "no URL"
		a := c.Keyed(t, "/reconcile/batch", "k", batch)
		a.Refused(t, 400, missing)
		require.Contains(t, string(a.Body), "webhook_url")
	})
	t.Run("a run of the page for any other courier saves no mapping over another one", func(t *testing.T) {
		_, b := enterprise(t)
		for _, columns := range []Body{byBank, byDoor} {
			b.reconcile(t, Small().With("courier", unknown).With("courierName", "custom").With("columns", columns))
			s.Clock.Advance(time.Minute)
		}
		require.JSONEq(t, `{"mappings":[],"named":[]}`, string(b.Get(t, "/app/api/mappings").Body))
	})
	t.Run("on another plan none is used or saved", func(t *testing.T) {
		c, b := enterprise(t)
		b.savesMapping(t, "Express", unknown, byBank)
		c.Change(t, OnPlan(domain.Pro))
		c.Reconcile(t, Small().With("courier", unknown)).Refused(t, 400, none)
		b.saveMapping(t, "Other", unknown, byDoor, nil).RefusedPage(t, 403, "mapping_plan", "")
	})
}

// TestManagingNamedMappings holds what is saved, renamed and deleted, and what is refused.
func TestManagingNamedMappings(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		s := Start(t, Options{DatabaseURL: db(t)})
		c := s.Customer(t, OnPlan(domain.Enterprise))
		b := c.SignIn(t)
		saved := func() (names []string) {
			var list struct {
				Named []struct {
					Name    string
					Columns map[string]any
				}
			}
			b.Get(t, "/app/api/mappings").JSON(t, &list)
			for _, m := range list.Named {
				names = append(names, fmt.Sprint(m.Name, " ", m.Columns["remitted_amount"]))
			}
			return names
		}
		b.savesMapping(t, " Express ", unknown, byBank)
		b.saveMapping(t, "EXPRESS", unknownToo, byDoor, nil).RefusedPage(t, 409, "mapping_exists", "")
		require.Equal(t, []string{"Express Bank"}, saved())
		require.Equal(t, http.StatusNoContent, b.saveMapping(t, "EXPRESS", unknownToo, byDoor, Body{"replace": true}).Status)
		require.Equal(t, []string{"EXPRESS Door"}, saved())
		for _, of := range []struct {
			field string
			body  Body
		}{
			{"mapping", aMapping(" ")},
			{"mapping", aMapping("a\x01b")},
			{"mapping", aMapping(strings.Repeat("a", 101))},
			{"columns", aMapping("x").With("columns", Body{"awb": "Docket"})},
			{"columns", aMapping("x").With("columns", Body{"price": "Docket"})},
			{"header", aMapping("x").With("header", "00")},
			{"columns", aMapping("x").With("columns", Body{"awb": strings.Repeat("a", 257), "remitted_amount": "y"})},
			{"columns", aMapping("x").With("columns", Body{"awb": "x", "remitted_amount": "y", "charges": []string{"z", strings.Repeat("a", 257)}})},
		} {
			b.Send(t, http.MethodPost, "/app/api/named-mappings", of.body).RefusedPage(t, 400, "field_invalid", of.field)
		}
		b.savesMapping(t, "Other", unknown, byBank)
		rename := func(name, to string) Answer {
			return b.Send(t, http.MethodPatch, "/app/api/named-mappings", Body{"name": name, "to": to})
		}
		rename("Other", "express").RefusedPage(t, 409, "mapping_exists", "")
		rename("Nobody", "y").RefusedPage(t, 404, "named_mapping_missing", "")
		rename("Other", "").RefusedPage(t, 400, "field_invalid", "to")
		rename("", "y").RefusedPage(t, 400, "field_invalid", "mapping")
		require.Equal(t, http.StatusNoContent, rename("other", "Door / ₹ & more?").Status)
		require.Equal(t, []string{"Door / ₹ & more? Bank", "EXPRESS Door"}, saved())
		remove := func(name string) Answer {
			return b.Send(t, http.MethodDelete, "/app/api/named-mappings?name="+url.QueryEscape(name), nil)
		}
		remove("Other").RefusedPage(t, 404, "named_mapping_missing", "")
		require.Equal(t, http.StatusNoContent, remove("Door / ₹ & more?").Status)
		require.Equal(t, []string{"EXPRESS Door"}, saved())
		require.Equal(t, []string{"mapping_removed Door / ₹ & more? dashboard", "mapping_saved Door / ₹ & more? dashboard", "mapping_saved Other dashboard",
			"mapping_saved EXPRESS dashboard", "mapping_saved Express dashboard"}, without(b.securityLog(t), "key", "sign", "session"))
		exported := fields(t, b.Get(t, "/app/api/account/export").Body)
		require.Equal(t, "EXPRESS", exported["mappings"].([]any)[0].(map[string]any)["name"])
	})
}
