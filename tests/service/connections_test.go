package service

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/fakes/sftp"
	"milaan/tests/fakes/shopify"
)

// connectionSecrets are what no answer to a page and no place of the service may have.
var connectionSecrets = []string{shopify.ClientSecret, sftp.Password}

// connectionOf is a connection as pages see it.
type connectionOf struct {
	ID, Brand, State string
	Shop             struct {
		Settings map[string]string
		Secrets  []string
	}
	Sources []struct {
		ID       string
		Settings map[string]string
		Secrets  []string
		Courier  string
		Columns  map[string]string
	}
	WindowDays int             `json:"window_days"`
	AlertAbove json.Number     `json:"alert_above"`
	NextPassAt string          `json:"next_pass_at"`
	Failure    json.RawMessage `json:"failure"`
}

// testOf is what a test has found, as pages see it.
type testOf struct {
	Shop    foundPart
	Sources []foundPart
}

type foundPart struct {
	Failure *struct {
		Rule, Setting, Message string
		Accept                 map[string]string
	}
	Matching int
	Files    []struct {
		Name, Courier, Through string
		Rows                   int
		Failure                *struct{ Message string }
	}
}

// TestConnectionsInTheDashboard connects a shop and a server of files as a page does, and
// holds that their secrets leave the service for them alone.
func TestConnectionsInTheDashboard(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{Settings: ConnectingHere})
	server := sftp.New(t, sftp.Options{})
	server.Put("remittance.csv", sftp.File{Content: []byte("AWB No,Order Id,COD Amount,Amount Remitted,Remittance Date\nA1,#1,100,100,2026-11-20\n"), Modified: s.Clock.Now().Add(-time.Hour)})
	server.Put("notes.csv", sftp.File{Content: []byte("Dear Asha,\nthank you\n"), Modified: s.Clock.Now().Add(-time.Hour)})
	shop := s.NewShop(t, "asha-textiles")
	b := s.Account(t).SignIn(t)
	var answers []string
	send := func(t *testing.T, method, path string, body any) Answer {
		t.Helper()
		a := b.Send(t, method, "/app/api"+path, body)
		answers = append(answers, string(a.Body))
		return a
	}
	made := func(t *testing.T, a Answer, status int) (c connectionOf) {
		t.Helper()
		require.Equal(t, status, a.Status, string(a.Body))
		require.NoError(t, json.Unmarshal(a.Body, &c), string(a.Body))
		return c
	}
	tested := func(t *testing.T, body Body) (found testOf) {
		t.Helper()
		send(t, http.MethodPost, "/connections/test", body).JSON(t, &found)
		return found
	}
	files := func() Body { return Source("sftp", server.Settings()).With("pattern", "*.csv") }
	body := Connecting("Asha", shop.Settings(), files())

	t.Run("a test says of each part what is wrong", func(t *testing.T) {
		source := files()
		delete(source["settings"].(map[string]string), "host_key")
		settings := shop.Settings()
		settings["client_secret"] = "wrong"
		found := tested(t, Connecting("Asha", settings, source))
		require.Equal(t, "refused", found.Shop.Failure.Rule)
		require.Equal(t, "no_host_key", found.Sources[0].Failure.Rule)
		require.Equal(t, map[string]string{"setting": "host_key", "value": server.HostKey(0)}, found.Sources[0].Failure.Accept)
		for _, part := range []foundPart{found.Shop, found.Sources[0]} {
			require.Greater(t, len(part.Failure.Message), 30, "a sentence")
		}
		require.Zero(t, server.Logins(), "no credentials go to a server that nobody knows")
	})
	t.Run("a test says which files match and what they are", func(t *testing.T) {
		found := tested(t, body)
		require.Nil(t, found.Shop.Failure)
		require.Nil(t, found.Sources[0].Failure)
		require.Equal(t, 2, found.Sources[0].Matching)
		for _, file := range found.Sources[0].Files {
			if file.Name == "notes.csv" {
				require.NotEmpty(t, file.Failure.Message)
				continue
			}
			require.Equal(t, "remittance.csv", file.Name)
			require.Equal(t, "2026-11-20", file.Through)
			require.Equal(t, 1, file.Rows)
			require.Nil(t, file.Failure)
		}
	})
	s.Clock.Advance(time.Minute) // an account may change so much in a minute
	var c connectionOf
	t.Run("a connection is saved, and its secrets are not shown again", func(t *testing.T) {
		c = made(t, send(t, http.MethodPost, "/connections", body.With("alert_above", 2500.5)), http.StatusCreated)
		require.Equal(t, "active", c.State)
		require.Equal(t, []string{"client_secret"}, c.Shop.Secrets)
		require.Equal(t, []string{"password"}, c.Sources[0].Secrets)
		require.Equal(t, server.HostKey(0), c.Sources[0].Settings["host_key"])
		require.Equal(t, "2500.5", c.AlertAbove.String())
		require.Equal(t, 45, c.WindowDays)
		next, err := time.Parse(time.RFC3339, c.NextPassAt)
		require.NoError(t, err)
		require.WithinRange(t, next, s.Clock.Now(), s.Clock.Now().Add(time.Hour))
		require.Equal(t, c, made(t, send(t, http.MethodGet, "/connections/"+c.ID, nil), 200))
		list := answered[struct{ Connections []connectionOf }](t, send(t, http.MethodGet, "/connections", nil))
		require.Equal(t, []connectionOf{c}, list.Connections)
		send(t, http.MethodPost, "/connections", body).RefusedPage(t, 409, "connection_exists", "")
	})
	t.Run("what is stored of secrets is used", func(t *testing.T) {
		shown := Body{"id": c.ID, "brand": "Asha", "shop": Body{"connector": "shopify", "settings": c.Shop.Settings},
			"sources": []Body{{"id": c.Sources[0].ID, "connector": "sftp", "settings": c.Sources[0].Settings, "courier": "custom", "columns": Body{"awb": "AWB No", "remitted_amount": "Amount Remitted", "remittance_date": "Remittance Date"}}}, "window_days": 30}
		found := tested(t, shown)
		require.Nil(t, found.Shop.Failure)
		require.Nil(t, found.Sources[0].Failure)
		changed := made(t, send(t, http.MethodPut, "/connections/"+c.ID, shown), 200)
		require.Equal(t, 30, changed.WindowDays)
		require.Equal(t, []string{"password"}, changed.Sources[0].Secrets)
		require.Equal(t, "AWB No", changed.Sources[0].Columns["awb"])
		require.Equal(t, c.Sources[0].ID, changed.Sources[0].ID)
		send(t, http.MethodPut, "/connections/"+c.ID, shown.With("revision", 1)).RefusedPage(t, 409, "connection_changed", "")
		made(t, send(t, http.MethodPut, "/connections/"+c.ID, shown.With("revision", 2)), 200)
	})
	t.Run("it is paused, resumed and asked for a pass", func(t *testing.T) {
		require.Equal(t, "paused", made(t, send(t, http.MethodPost, "/connections/"+c.ID+"/pause", Body{"paused": true}), 200).State)
		send(t, http.MethodPost, "/connections/"+c.ID+"/pause", Body{"pause": true}).RefusedPage(t, 400, "field_invalid", "paused")
		require.Equal(t, "active", made(t, send(t, http.MethodPost, "/connections/"+c.ID+"/pause", Body{"paused": false}), 200).State)
		var asked, listed struct {
			ID     string
			Asked  bool
			Passes []json.RawMessage
		}
		a := send(t, http.MethodPost, "/connections/"+c.ID+"/run", Body{})
		require.Equal(t, http.StatusAccepted, a.Status, string(a.Body))
		require.NoError(t, json.Unmarshal(a.Body, &asked))
		require.True(t, asked.Asked)
		send(t, http.MethodPost, "/connections/"+c.ID+"/run", Body{}).RefusedPage(t, 409, "pass_running", "")
		send(t, http.MethodGet, "/connections/"+c.ID+"/passes", nil).JSON(t, &listed)
		require.Contains(t, string(listed.Passes[0]), asked.ID)
	})
	t.Run("the secrets are nowhere else", func(t *testing.T) {
		s.writesNone(t, connectionSecrets)
		requireNone(t, "the metrics", string(s.Get(t, "/metrics").Body), append(slices.Clone(connectionSecrets), "asha-textiles"))
		requireNone(t, "the log", s.Log.String(), []string{"asha-textiles", "127.0.0.1:" + server.Settings()["port"]})
	})
	t.Run("it is removed by who types its brand", func(t *testing.T) {
		send(t, http.MethodDelete, "/connections/"+c.ID, Body{"brand": "asha"}).RefusedPage(t, 400, "field_invalid", "brand")
		require.Equal(t, http.StatusNoContent, send(t, http.MethodDelete, "/connections/"+c.ID, Body{"brand": "Asha"}).Status)
		send(t, http.MethodGet, "/connections/"+c.ID, nil).RefusedPage(t, 404, "connection_missing", "")
		require.Contains(t, string(send(t, http.MethodGet, "/security", nil).Body), `"kind":"connection_changed","detail":"Asha","via":"dashboard"`)
	})
	t.Run("no answer has had a secret", func(t *testing.T) {
		require.Greater(t, len(answers), 12)
		requireNone(t, "an answer", strings.Join(answers, "\n"), connectionSecrets)
	})
}
