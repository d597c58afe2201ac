package sources

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"milaan/domain"
)

// bucketClient makes the two requests that reports need of a server of buckets.
type bucketClient struct {
	http                         *http.Client
	base                         url.URL // of the bucket, with a slash at its end
	region, accessKey, secretKey string
}

// amazonRegion is what Amazon calls the hosts of a region, if nothing but the region is chosen by
// them. The setting for the region goes before the name.
var amazonRegion = lazily(`^s3[.-](dualstack\.)?[a-z0-9-]+-[0-9]\.amazonaws\.com$`)

// bucketURL returns where a bucket is. Amazon, Google and Alibaba want its name as a part of the
// host, unless a dot in it would make their certificates invalid, and others in the path.
func bucketURL(server *url.URL, region, name string) url.URL {
	host := server.Hostname()
	elsewhere := host == "s3.amazonaws.com" && region != "us-east-1" ||
		amazonRegion().MatchString(host) && !strings.HasSuffix(host, region+".amazonaws.com")
	if elsewhere { // the host of another region refuses what is asked, or sends it on
		host = "s3." + region + ".amazonaws.com"
	}
	amazon := (strings.HasPrefix(host, "s3") || strings.Contains(host, ".s3.")) &&
		(strings.HasSuffix(host, ".amazonaws.com") || strings.HasSuffix(host, ".amazonaws.com.cn"))
	inHost := amazon || host == "storage.googleapis.com" || strings.HasSuffix(host, ".aliyuncs.com")
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	u := url.URL{Scheme: server.Scheme, Host: host, Path: "/"}
	if inHost && (u.Scheme == "http" || !strings.Contains(name, ".")) {
		u.Host = name + "." + host
	} else {
		u.Path += name + "/"
	}
	// The port that goes without saying is not said, because it would be a part of what is signed.
	if port := portOf(server); port != portOf(&url.URL{Scheme: server.Scheme}) {
		u.Host += ":" + port
	}
	return u
}

// get asks for an object or, if key is blank, for a list. Statuses but 200 are errors.
func (c *bucketClient) get(ctx context.Context, key string, query url.Values) (*http.Response, error) {
	u := c.base
	u.Path += key
	// Amazon signs it with all escaped but letters, digits and -_.~/
	u.RawPath = strings.NewReplacer("+", "%20", "%2F", "/").Replace(url.QueryEscape(u.Path))
	u.RawQuery = strings.ReplaceAll(query.Encode(), "+", "%20")
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "Milaan")
	c.sign(request, time.Now())
	answer, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		defer func() { _ = answer.Body.Close() }() // it is only read
		return nil, bucketRefusal(answer, key)
	}
	return answer, nil
}

// sign signs a request without a body, in Amazon's version 4.
func (c *bucketClient) sign(request *http.Request, now time.Time) {
	const signed = "host;x-amz-content-sha256;x-amz-date"
	nothing, at := hexSum(""), now.UTC().Format("20060102T150405Z")
	request.Header.Set("X-Amz-Content-Sha256", nothing)
	request.Header.Set("X-Amz-Date", at)
	canonical := strings.Join([]string{request.Method, request.URL.EscapedPath(), request.URL.RawQuery,
		"host:" + request.URL.Host, "x-amz-content-sha256:" + nothing, "x-amz-date:" + at, "", signed, nothing}, "\n")
	scope := []string{at[:8], c.region, "s3", "aws4_request"}
	mac := []byte("AWS4" + c.secretKey)
	for _, part := range append(scope, strings.Join([]string{"AWS4-HMAC-SHA256", at, strings.Join(scope, "/"), hexSum(canonical)}, "\n")) {
		h := hmac.New(sha256.New, mac)
		h.Write([]byte(part))
		mac = h.Sum(nil)
	}
	request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+c.accessKey+"/"+strings.Join(scope, "/")+
		", SignedHeaders="+signed+", Signature="+hex.EncodeToString(mac))
}

func hexSum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

type bucketObject struct {
	Key, ETag    string
	Size         int64
	LastModified time.Time
}

// bucketObjects are the first objects of a page: one more than most.
type bucketObjects struct {
	most  int
	first []bucketObject
}

// UnmarshalXML reads one object. A page of many empty ones would need ten times its length.
func (o *bucketObjects) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	if len(o.first) > o.most {
		return d.Skip()
	}
	o.first = append(o.first, bucketObject{})
	return d.DecodeElement(&o.first[len(o.first)-1], &start)
}

// bucketPage is how many objects a page of a list has: as many as Amazon allows.
const bucketPage = 1000

// objects lists the objects whose keys begin with prefix. Of more than most, at least one more is
// listed. It ends with an error, if there is one.
func (c *bucketClient) objects(ctx context.Context, prefix string, most int) iter.Seq2[bucketObject, error] {
	return func(yield func(bucketObject, error) bool) {
		query := url.Values{"list-type": {"2"}, "encoding-type": {"url"}, "prefix": {prefix}, "max-keys": {strconv.Itoa(min(most+1, bucketPage))}}
		for {
			var page struct {
				XMLName               xml.Name `xml:"ListBucketResult"`
				Contents              bucketObjects
				EncodingType          string
				IsTruncated           bool
				NextContinuationToken string
			}
			page.Contents.most = most
			answer, err := c.get(ctx, "", query)
			if err == nil {
				err = xml.NewDecoder(answer.Body).Decode(&page)
				_ = answer.Body.Close() // it was only read
			}
			if err == nil && page.IsTruncated && page.NextContinuationToken == "" {
				err = &domain.ConnectorError{Rule: domain.ConnAnswer, Status: http.StatusOK}
			}
			for i := 0; err == nil && i < len(page.Contents.first); i++ {
				object := page.Contents.first[i]
				if page.EncodingType == "url" { // as asked for, because XML cannot have all characters
					object.Key, err = url.QueryUnescape(object.Key)
				}
				object.ETag = strings.Trim(object.ETag, `"`)
				if err == nil && !yield(object, nil) {
					return
				}
			}
			switch {
			case err != nil:
				yield(bucketObject{}, err)
				return
			case !page.IsTruncated:
				return
			}
			query.Set("continuation-token", page.NextContinuationToken)
		}
	}
}

type bucketError struct {
	status int
	code   string // of S3; blank if the answer has none
}

func (e *bucketError) Error() string { return "status " + strconv.Itoa(e.status) }

// refusalBytes is how long an error of S3 may be.
const refusalBytes = 64 << 10

// bucketRefusal reads an answer that is no success. Some servers send no text with it.
func bucketRefusal(answer *http.Response, key string) error {
	var said struct {
		XMLName xml.Name `xml:"Error"`
		Code    string
	}
	_ = xml.NewDecoder(io.LimitReader(answer.Body, refusalBytes)).Decode(&said) // or the code is blank
	usual := map[int]string{http.StatusForbidden: "AccessDenied", http.StatusNotFound: "NoSuchBucket"}[answer.StatusCode]
	if key != "" && answer.StatusCode == http.StatusNotFound {
		usual = "NoSuchKey"
	}
	return &bucketError{status: answer.StatusCode, code: cmp.Or(said.Code, usual)}
}
