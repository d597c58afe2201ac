package sources

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
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
	bucketName = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)
	regionName = regexp.MustCompile(`^[a-z0-9-]{1,60}$`)
)

// bucketConnector is an S3-compatible bucket. Its credentials are those of the settings: the
// library is given no others, looks for none on the machine, and asks no other host for the
// bucket's region.
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
		checks:      map[string]valueCheck{settingEndpoint: checkURL, settingRegion: checkName(regionName), settingBucket: checkName(bucketName)},
		hostSetting: settingEndpoint,
		host: func(s domain.Settings) (string, string) {
			u, ok := serverURL(s[settingEndpoint])
			if !ok {
				return "", ""
			}
			return u.Hostname(), portOf(u)
		},
		open: openBucket,
	}
}

// checkName is the check of a setting that looks like an expression.
func checkName(form *regexp.Regexp) valueCheck {
	return func(value string, _ hostCheck) domain.Fault {
		if !form.MatchString(value) {
			return domain.Fault{Rule: domain.RuleForm}
		}
		return domain.Fault{}
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
	transport := network.transport(u.Hostname())
	client, err := minio.New(u.Host, &minio.Options{
		Creds: credentials.NewStaticV4(s[settingAccessKey], s[settingSecretKey], ""), Secure: u.Scheme == "https",
		Transport: retrying{transport, network.limits.Pause}, Region: s[settingRegion], BucketLookup: lookupAt(u),
		MaxRetries: 1, // it would also repeat what is forbidden
	})
	if err != nil {
		return nil, &domain.ConnectorError{Rule: domain.ConnRefused, Setting: settingEndpoint, Cause: hushed(err)}
	}
	client.SetS3EnableDualstack(false) // the host is the one that the endpoint names
	b := &bucket{client: client, transport: transport, name: s[settingBucket], prefix: s[settingPrefix]}
	for object := range client.ListObjectsIter(ctx, b.name, minio.ListObjectsOptions{Prefix: b.prefix, Recursive: true, MaxKeys: 1}) {
		if object.Err != nil {
			transport.CloseIdleConnections()
			return nil, bucketFailure(object.Err, "s3:ListBucket")
		}
		break
	}
	return b, nil
}

// lookupAt returns whether the name of a bucket is a part of the host, as Amazon wants it, or
// of the path.
func lookupAt(u *url.URL) minio.BucketLookupType {
	if _, err := netip.ParseAddr(u.Hostname()); err == nil || peers.IsThisMachine(u.Hostname()) {
		return minio.BucketLookupPath
	}
	return minio.BucketLookupAuto
}

// bucket is an opened bucket.
type bucket struct {
	client    *minio.Client
	transport *http.Transport
	name      string
	prefix    string
}

func (b *bucket) close() error {
	b.transport.CloseIdleConnections()
	return nil
}

func (b *bucket) list(ctx context.Context, q query) (files []ports.SourceFile, err error) {
	// What comes after the last slash of the prefix is a part of the names.
	folder := b.prefix[:strings.LastIndexByte(b.prefix, '/')+1]
	count := 0
	for object := range b.client.ListObjectsIter(ctx, b.name, minio.ListObjectsOptions{Prefix: b.prefix, Recursive: true}) {
		if object.Err != nil {
			return nil, bucketFailure(object.Err, "s3:ListBucket")
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
			Name: shown(name), Version: objectVersion(object), Modified: object.LastModified, Bytes: object.Size, Settled: true, Handle: object.Key,
		})
	}
	// The library ends a list in silence when its context ends.
	return files, ctx.Err()
}

// objectVersion returns the ETag of an object, or what replaces it where a server has none.
func objectVersion(object minio.ObjectInfo) string {
	if object.ETag == "" {
		return versionOf(object.Size, object.LastModified)
	}
	return object.ETag
}

func (b *bucket) read(ctx context.Context, file ports.SourceFile, limit int64) ([]byte, error) {
	key, _ := file.Handle.(string)
	body, object, _, err := minio.Core{Client: b.client}.GetObject(ctx, b.name, key, minio.GetObjectOptions{})
	if err != nil {
		return nil, bucketFailure(err, "s3:GetObject")
	}
	defer func() { _ = body.Close() }() // it was only read
	if object.ETag != "" && object.ETag != file.Version || object.Size >= 0 && object.Size != file.Bytes {
		return nil, &domain.ConnectorError{Rule: domain.ConnGrowing}
	}
	content := newBounded(file.Bytes, limit)
	if _, err := io.Copy(content, body); err != nil {
		return nil, err
	}
	return content.all(file.Bytes)
}

// bucketFailure explains what a server of buckets answers. permission is what the request
// needs.
func bucketFailure(err error, permission string) error {
	answer, ok := errors.AsType[minio.ErrorResponse](err)
	if !ok {
		return err
	}
	e := &domain.ConnectorError{Rule: domain.ConnAnswer, Status: answer.StatusCode}
	switch answer.Code {
	case "InvalidAccessKeyId":
		e.Rule, e.Setting = domain.ConnRefused, settingAccessKey
	case "SignatureDoesNotMatch":
		e.Rule, e.Setting = domain.ConnRefused, settingSecretKey
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
		switch answer.StatusCode {
		case http.StatusUnauthorized, http.StatusForbidden:
			e.Rule, e.Setting = domain.ConnRefused, settingAccessKey
		case http.StatusTooManyRequests:
			e.Rule = domain.ConnThrottled
		}
	}
	return e
}
