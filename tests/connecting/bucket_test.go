package connecting_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/outbound"
	"milaan/adapters/sources"
	"milaan/domain"
	"milaan/tests/connecting"
	"milaan/tests/fakes/network"
	"milaan/tests/fakes/s3"
	"milaan/tests/only"
)

func TestS3ListsEveryPage(t *testing.T) {
	server := s3.New(t)
	at := time.Now()
	for i := range 1205 {
		server.Put(t, fmt.Sprintf("in/%04d.csv", i), nil, at)
	}
	server.Put(t, "in/2026/11/deep.csv", nil, at)
	server.Put(t, "in/folder/", nil, at)
	server.Put(t, "instead.csv", nil, at)
	before := server.Requests()
	names := list(t, registry(), "s3", connecting.With(server.Settings(), "prefix", "in/"))
	require.Len(t, names, 1206)
	require.Contains(t, names, "2026/11/deep.csv")
	require.LessOrEqual(t, server.Requests()-before, 4)
	require.Equal(t, []string{"instead.csv"}, list(t, registry(), "s3", connecting.With(server.Settings(), "prefix", "ins")))
	require.Len(t, list(t, registry(), "s3", server.Settings()), 1207)
}

// Whatever a key is made of, its object is the one that is read.
func TestS3KeysHaveAnyCharacters(t *testing.T) {
	server := s3.New(t)
	for _, key := range []string{"a + b.csv", "50%25 & more=?#.csv", "मिलान/~tilde*'(1)!.csv", "//two//slashes.csv", "line\nbreak.csv"} {
		server.Put(t, key, []byte(key), time.Now())
	}
	opened, files := listing(t, registry(), "s3", server.Settings())
	require.Len(t, files, 5)
	for _, f := range files {
		content, err := opened.Read(t.Context(), f, 100)
		require.NoError(t, err, f.Name)
		require.Equal(t, f.Handle, string(content))
	}
}

// A page that is missing fails the list.
func TestS3MissingPagesAreNoEndOfTheList(t *testing.T) {
	server := s3.New(t)
	for i := range 1100 {
		server.Put(t, fmt.Sprintf("%04d.csv", i), nil, time.Now())
	}
	opened := only.Value(open(t.Context(), registry(), "s3", server.Settings()))(t)
	defer func() { require.NoError(t, opened.Close()) }()
	pages := 0
	server.Answer(func(r *http.Request) (int, string) {
		if pages++; pages > 1 {
			return http.StatusBadRequest, "InvalidArgument"
		}
		return 0, ""
	})
	files, err := opened.List(t.Context(), time.Time{})
	require.Empty(t, files)
	require.Equal(t, domain.ConnAnswer, failure(t, err).Rule)
	require.Equal(t, http.StatusBadRequest, failure(t, err).Status)
}

func TestS3AnswersAreExplained(t *testing.T) {
	server := s3.New(t)
	server.Put(t, "a.csv", []byte("a"), time.Now())
	for _, c := range []struct {
		status  int
		code    string
		rule    domain.ConnectorRule
		setting string
		value   string
	}{
		{403, "AccessDenied", domain.ConnScope, "", "s3:ListBucket"},
		{403, "", domain.ConnScope, "", "s3:ListBucket"},
		{403, "AllAccessDisabled", domain.ConnRefused, "access_key", ""},
		{403, "InvalidAccessKeyId", domain.ConnRefused, "access_key", ""},
		{403, "SignatureDoesNotMatch", domain.ConnRefused, "secret_key", ""},
		{403, "RequestTimeTooSkewed", domain.ConnClock, "", ""},
		{404, "NoSuchBucket", domain.ConnNoFolder, "bucket", ""},
		{400, "AuthorizationHeaderMalformed", domain.ConnAnswer, "region", ""},
		{301, "PermanentRedirect", domain.ConnAnswer, "region", ""},
		{503, "SlowDown", domain.ConnThrottled, "", ""},
		{429, "", domain.ConnThrottled, "", ""},
		{500, "InternalError", domain.ConnAnswer, "", ""},
		{200, "", domain.ConnUnreachable, "endpoint", ""}, // as if it had been cut off
		{418, "Teapot", domain.ConnAnswer, "", ""},
	} {
		server.Answer(func(*http.Request) (int, string) { return c.status, c.code })
		opened, err := open(t.Context(), registry(), "s3", server.Settings())
		require.Nil(t, opened)
		e := failure(t, err)
		require.Equal(t, c.rule, e.Rule, "%d %s", c.status, c.code)
		require.Equal(t, c.setting, e.Setting, "%d %s", c.status, c.code)
		require.Equal(t, c.value, e.Value, "%d %s", c.status, c.code)
	}
	server.Answer(nil)
	opened, files := listing(t, registry(), "s3", server.Settings())
	server.Answer(func(*http.Request) (int, string) { return 403, "AccessDenied" })
	_, err := opened.Read(t.Context(), files[0], 10)
	require.Equal(t, domain.ConnScope, failure(t, err).Rule)
	require.Equal(t, "s3:GetObject", failure(t, err).Value)
}

// A server that is busy for a moment costs no pass.
func TestS3BusyServersAreAskedAgain(t *testing.T) {
	server := s3.New(t)
	server.Put(t, "a.csv", []byte("a"), time.Now())
	requests := 0
	server.Answer(func(*http.Request) (int, string) {
		if requests++; requests%3 != 0 {
			return http.StatusServiceUnavailable, "SlowDown"
		}
		return 0, ""
	})
	require.Equal(t, []string{"a.csv"}, list(t, registry(), "s3", server.Settings()))
	require.Equal(t, 6, requests)
}

// The credentials of the settings go to the host of the settings, and no others go anywhere.
func TestS3AsksNobodyElse(t *testing.T) {
	elsewhere := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere++ }))
	defer other.Close()
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "AKIDOFTHEMACHINE", "AWS_SECRET_ACCESS_KEY": "of the machine", "AWS_SESSION_TOKEN": "of the machine",
		"AWS_CONTAINER_CREDENTIALS_FULL_URI": other.URL, "AWS_WEB_IDENTITY_TOKEN_FILE": "/nowhere", "AWS_ROLE_ARN": "arn:aws:iam::1:role/a",
		"MINIO_ACCESS_KEY": "other", "MINIO_SECRET_KEY": "other", "HTTP_PROXY": other.URL, "HTTPS_PROXY": other.URL, "http_proxy": other.URL,
	} {
		t.Setenv(name, value)
	}
	redirects := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		redirects++
		if r.Header.Get("X-Amz-Security-Token") != "" || !strings.Contains(r.Header.Get("Authorization"), "Credential="+s3.AccessKey+"/") {
			t.Errorf("other credentials: %s", r.Header.Get("Authorization"))
		}
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	s := domain.Settings{"endpoint": server.URL, "bucket": "acme", "access_key": s3.AccessKey, "secret_key": s3.SecretKey}
	_, err := open(t.Context(), registry(), "s3", s)
	require.Equal(t, domain.ConnAnswer, failure(t, err).Rule)
	require.Equal(t, http.StatusTemporaryRedirect, failure(t, err).Status)
	require.Positive(t, redirects)
	require.Zero(t, elsewhere)

	// Amazon has a host for each bucket, which the guard sees like any other.
	const public = "93.184.216.34"
	var dialled []string
	resolver := network.Always(map[string][]string{"s3.ap-south-1.amazonaws.com": {public}, "acme.s3.ap-south-1.amazonaws.com": {"10.0.0.1"}})
	r := registry(func(p *sources.Params) {
		p.Settings.AllowLoopback = false
		p.Guards = outbound.New(outbound.Settings{Resolver: resolver, Dial: func(_ context.Context, _, address string) (net.Conn, error) {
			dialled = append(dialled, address)
			return nil, net.ErrClosed
		}})
	})
	s = connecting.With(s, "endpoint", "https://s3.ap-south-1.amazonaws.com", "region", "ap-south-1")
	require.Empty(t, r.Check(t.Context(), domain.ReportSource{Connector: "s3", Settings: s}))
	_, err = open(t.Context(), r, "s3", s)
	require.Equal(t, domain.ConnForbidden, failure(t, err).Rule)
	require.Empty(t, dialled)
	for _, host := range resolver.Lookups() {
		require.True(t, strings.HasSuffix(host, "s3.ap-south-1.amazonaws.com."), host)
	}
}

// Certificates must be valid for the name, but for those of this machine in development.
func TestS3CertificatesAreChecked(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>`))
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	s := domain.Settings{"endpoint": server.URL, "bucket": "acme", "access_key": "a", "secret_key": "s"}
	require.Empty(t, list(t, registry(), "s3", s))

	const name = "s3.shop.example"
	r := registry(func(p *sources.Params) {
		p.Guards = outbound.New(outbound.Settings{Resolver: network.Always(map[string][]string{name: {"127.0.0.1"}})})
	})
	s = connecting.With(s, "endpoint", strings.Replace(server.URL, "127.0.0.1", name, 1))
	require.Contains(t, s["endpoint"], name)
	_, err := open(t.Context(), r, "s3", s)
	require.Equal(t, domain.ConnCertificate, failure(t, err).Rule)
	require.Equal(t, "endpoint", failure(t, err).Setting)

	// What does not speak TLS is not spoken to in clear.
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	_, err = open(t.Context(), registry(), "s3", connecting.With(s, "endpoint", "https://"+plain.Listener.Addr().String()))
	require.Contains(t, []domain.ConnectorRule{domain.ConnUnreachable, domain.ConnAnswer}, failure(t, err).Rule)
}

// A server that has no end of a list is stopped.
func TestS3EndlessListsEnd(t *testing.T) {
	pages := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pages++
		contents := ""
		if r.URL.Query().Get("prefix") != "empty" {
			contents = strings.Repeat("<Contents><Key>a.csv</Key><Size>1</Size></Contents>", 900)
		}
		_, _ = fmt.Fprintf(w, "<ListBucketResult>%s<IsTruncated>true</IsTruncated><NextContinuationToken>same</NextContinuationToken></ListBucketResult>", contents)
	}))
	defer server.Close()
	s := domain.Settings{"endpoint": server.URL, "bucket": "acme", "access_key": "a", "secret_key": "s"}
	r := registry(func(p *sources.Params) { p.Settings.Limits.ListBytes, p.Settings.Limits.OpenBytes = 100_000, 50_000 })
	opened := only.Value(open(t.Context(), r, "s3", s))(t)
	_, err := opened.List(t.Context(), time.Time{})
	require.Equal(t, domain.ConnManyBytes, failure(t, err).Rule)
	require.NoError(t, opened.Close())
	r = registry(func(p *sources.Params) { p.Settings.Limits.Names = 1000 })
	opened = only.Value(open(t.Context(), r, "s3", s))(t)
	_, err = opened.List(t.Context(), time.Time{})
	require.Equal(t, domain.ConnManyFiles, failure(t, err).Rule)
	require.NoError(t, opened.Close())
	r = registry(func(p *sources.Params) { p.Settings.Limits.OpenBytes = 50_000 })
	_, err = open(t.Context(), r, "s3", connecting.With(s, "prefix", "empty"))
	require.Equal(t, domain.ConnManyBytes, failure(t, err).Rule, "an empty page and its like are no end")
	require.Less(t, pages, 1000)
}

// What is replaced between the list and the download is not read.
func TestS3ObjectsThatAreReplacedAreNotRead(t *testing.T) {
	server := s3.New(t)
	at := time.Now()
	server.Put(t, "a.csv", bytes.Repeat([]byte("a"), 1000), at)
	opened, files := listing(t, registry(), "s3", server.Settings())
	server.Before(func(r *http.Request) { server.Put(t, "a.csv", bytes.Repeat([]byte("b"), 1000), at) })
	_, err := opened.Read(t.Context(), files[0], 2000)
	require.Equal(t, domain.ConnGrowing, failure(t, err).Rule)
	// The same bytes again are the same version.
	server.Before(func(r *http.Request) { server.Put(t, "a.csv", bytes.Repeat([]byte("a"), 1000), at.Add(time.Hour)) })
	require.NoError(t, only.Err(opened.Read(t.Context(), files[0], 2000)))
}
