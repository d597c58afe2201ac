package sources

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"

	"milaan/domain"
	"milaan/ports"
)

const (
	settingEndpoint  = "endpoint"
	settingRegion    = "region"
	settingBucket    = "bucket"
	settingPrefix    = "prefix"
	settingAccessKey = "access_key"
	settingSecretKey = "secret_key"
)

var (
	bucketName = lazily(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)
	regionName = lazily(`^[a-z0-9-]{1,60}$`)
)

// bucketConnector is an S3-compatible bucket. Its credentials are those of the settings: none
// are looked for on the machine, and no other host is asked for the bucket's region.
func bucketConnector() connector {
	return connector{
		ConnectorInfo: ports.ConnectorInfo{
			ID: "s3", Name: "S3", Files: true,
			Settings: []ports.SettingInfo{
				{Name: settingEndpoint, Required: true, Example: "https://s3.ap-south-1.amazonaws.com"},
				{Name: settingRegion, Default: "us-east-1", Example: "ap-south-1", KeepsSecrets: true},
				{Name: settingBucket, Required: true, Example: "acme-remittances", KeepsSecrets: true},
				{Name: settingPrefix, Example: "delhivery/", KeepsSecrets: true},
				{Name: settingAccessKey, Required: true, Secret: true, Exact: true},
				{Name: settingSecretKey, Required: true, Secret: true, Exact: true},
			},
		},
		checks: map[string]ports.SettingCheck{
			settingEndpoint: checkURL, settingRegion: checkName(regionName), settingBucket: checkName(bucketName),
		},
		hostSetting: settingEndpoint,
		host:        func(s domain.Settings) (string, string) { return hostOf(s[settingEndpoint]) },
		open:        openBucket,
	}
}

// checkName is the check of a setting that looks like an expression.
func checkName(form func() *regexp.Regexp) ports.SettingCheck {
	return func(value string, _ domain.Settings, _ ports.HostCheck) domain.Fault {
		return formUnless(form().MatchString(value))
	}
}

// openBucket lists the first file, so that refused credentials and a missing bucket show at
// once.
func openBucket(ctx context.Context, network *network, access ports.SourceAccess) (place, error) {
	s := access.Source.Settings
	u, ok := serverURL(s[settingEndpoint])
	if !ok {
		return nil, &domain.ConnectorError{Rule: domain.ConnRefused, Setting: settingEndpoint}
	}
	client := network.client(u.Hostname())
	client.Transport = retrying{client.Transport, network.limits.Pause}
	b := &bucket{prefix: s[settingPrefix], client: bucketClient{
		http: client, base: bucketURL(u, s[settingRegion], s[settingBucket]),
		region: s[settingRegion], accessKey: s[settingAccessKey], secretKey: s[settingSecretKey],
	}}
	for _, err := range b.client.objects(ctx, b.prefix, 0) {
		if err != nil {
			return nil, bucketFailure(err, "s3:ListBucket")
		}
		break
	}
	return b, nil
}

type bucket struct {
	client bucketClient
	prefix string
}

func (b *bucket) close() error { return nil }

func (b *bucket) list(ctx context.Context, q query) (files []ports.SourceFile, err error) {
	// What comes after the last slash of the prefix is a part of the names.
	folder := b.prefix[:strings.LastIndexByte(b.prefix, '/')+1]
	count := 0
	for object, err := range b.client.objects(ctx, b.prefix, q.most) {
		if err != nil {
			return nil, bucketFailure(err, "s3:ListBucket")
		}
		if count++; count > q.most {
			return nil, q.crowded(settingPrefix)
		}
		name := strings.TrimPrefix(object.Key, folder)
		// What ends in a slash stands for a folder.
		if name == "" || strings.HasSuffix(name, "/") || !q.wants(name, object.LastModified) {
			continue
		}
		files = append(files, ports.SourceFile{
			Name: shown(name), Version: cmp.Or(object.ETag, versionOf(object.Size, object.LastModified)), // some servers have no ETags
			Modified: object.LastModified, Bytes: object.Size, Settled: true, Handle: object.Key,
		})
	}
	return files, nil
}

func (b *bucket) read(ctx context.Context, file ports.SourceFile, limit int64) ([]byte, error) {
	key, _ := file.Handle.(string)
	answer, err := b.client.get(ctx, key, nil)
	if err != nil {
		return nil, bucketFailure(err, "s3:GetObject")
	}
	defer func() { _ = answer.Body.Close() }() // it was only read
	version := strings.Trim(answer.Header.Get("ETag"), `"`)
	if version != "" && version != file.Version || answer.ContentLength >= 0 && answer.ContentLength != file.Bytes {
		return nil, &domain.ConnectorError{Rule: domain.ConnGrowing}
	}
	content := newBounded(file.Bytes, limit)
	if _, err := io.Copy(content, answer.Body); err != nil {
		return nil, err
	}
	return content.all(file.Bytes)
}

// bucketFailure explains what a server of buckets answers. permission is what the request
// needs.
func bucketFailure(err error, permission string) error {
	answer, ok := errors.AsType[*bucketError](err)
	if !ok {
		return err
	}
	e := &domain.ConnectorError{Rule: domain.ConnAnswer, Status: answer.status}
	switch answer.code {
	case "InvalidAccessKeyId":
		e.Rule, e.Setting = domain.ConnRefused, settingAccessKey
	case "SignatureDoesNotMatch":
		e.Rule, e.Setting = domain.ConnRefused, settingSecretKey
	case "RequestTimeTooSkewed":
		e.Rule = domain.ConnClock
	case "AccessDenied":
		e.Rule, e.Value = domain.ConnScope, permission
	case "NoSuchBucket":
		e.Rule, e.Setting = domain.ConnNoFolder, settingBucket
	case "NoSuchKey":
		e.Rule = domain.ConnGone
	case "SlowDown", "SlowDownRead", "Throttling", "ThrottlingException", "RequestLimitExceeded":
		e.Rule = domain.ConnThrottled
	case "AuthorizationHeaderMalformed", "PermanentRedirect", "TemporaryRedirect", "Redirect":
		e.Setting = settingRegion
	default:
		switch answer.status {
		case http.StatusUnauthorized, http.StatusForbidden:
			e.Rule, e.Setting = domain.ConnRefused, settingAccessKey
		case http.StatusTooManyRequests:
			e.Rule = domain.ConnThrottled
		}
	}
	return e
}
