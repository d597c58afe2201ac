package sources

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/only"
)

// The examples of Amazon's documentation of its signatures.
func TestBucketRequestsAreSigned(t *testing.T) {
	server := only.Value(url.Parse("https://s3.amazonaws.com"))(t)
	c := bucketClient{base: bucketURL(server, "us-east-1", "examplebucket"), region: "us-east-1", accessKey: "AKIAIOSFODNN7EXAMPLE",
		secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}
	for query, signature := range map[string]string{
		"lifecycle=":          "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
		"max-keys=2&prefix=J": "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
	} {
		c.base.RawQuery = query
		r := only.Value(http.NewRequestWithContext(t.Context(), http.MethodGet, c.base.String(), nil))(t)
		c.sign(r, time.Date(2013, 5, 24, 5, 30, 0, 0, time.FixedZone("IST", 5*3600+1800)))
		require.True(t, strings.HasSuffix(r.Header.Get("Authorization"), "/20130524/us-east-1/s3/aws4_request, "+
			"SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature="+signature), r.Header.Get("Authorization"))
	}
}

func TestBucketURL(t *testing.T) {
	for _, c := range []struct{ server, region, bucket, want string }{
		{"https://s3.amazonaws.com", "us-east-1", "acme", "https://acme.s3.amazonaws.com/"},
		{"https://s3.amazonaws.com", "ap-south-1", "acme", "https://acme.s3.ap-south-1.amazonaws.com/"},
		{"https://s3.ap-south-1.amazonaws.com/", "ap-south-1", "acme", "https://acme.s3.ap-south-1.amazonaws.com/"},
		{"https://s3.ap-south-1.amazonaws.com:443", "ap-south-1", "acme.in", "https://s3.ap-south-1.amazonaws.com/acme.in/"},
		{"https://s3.us-east-1.amazonaws.com", "ap-south-1", "acme", "https://acme.s3.ap-south-1.amazonaws.com/"},
		{"https://s3.ap-south-1.amazonaws.com", "us-east-1", "acme", "https://acme.s3.us-east-1.amazonaws.com/"},
		{"https://s3-us-west-2.amazonaws.com", "ap-south-1", "acme", "https://acme.s3.ap-south-1.amazonaws.com/"},
		{"https://s3.dualstack.us-east-1.amazonaws.com", "ap-south-1", "acme", "https://acme.s3.ap-south-1.amazonaws.com/"},
		{"https://s3.dualstack.ap-south-1.amazonaws.com", "ap-south-1", "acme", "https://acme.s3.dualstack.ap-south-1.amazonaws.com/"},
		{"https://s3-accelerate.amazonaws.com", "ap-south-1", "acme", "https://acme.s3-accelerate.amazonaws.com/"},
		{"https://s3-fips.us-east-1.amazonaws.com", "ap-south-1", "acme", "https://acme.s3-fips.us-east-1.amazonaws.com/"},
		{"https://s3.cn-north-1.amazonaws.com.cn", "cn-north-1", "acme", "https://acme.s3.cn-north-1.amazonaws.com.cn/"},
		{"https://bucket.vpce-1.s3.ap-south-1.vpce.amazonaws.com", "ap-south-1", "acme", "https://acme.bucket.vpce-1.s3.ap-south-1.vpce.amazonaws.com/"},
		{"https://ec2-1-2-3-4.ap-south-1.compute.amazonaws.com", "ap-south-1", "acme", "https://ec2-1-2-3-4.ap-south-1.compute.amazonaws.com/acme/"},
		{"https://storage.googleapis.com", "auto", "acme", "https://acme.storage.googleapis.com/"},
		{"https://oss-ap-south-1.aliyuncs.com", "oss-ap-south-1", "acme", "https://acme.oss-ap-south-1.aliyuncs.com/"},
		{"https://account.r2.cloudflarestorage.com", "auto", "acme", "https://account.r2.cloudflarestorage.com/acme/"},
		{"https://minio.shop.example:9000", "us-east-1", "acme", "https://minio.shop.example:9000/acme/"},
		{"http://127.0.0.1:80", "us-east-1", "acme", "http://127.0.0.1/acme/"},
		{"http://[::1]:9000", "us-east-1", "acme", "http://[::1]:9000/acme/"},
	} {
		server, ok := serverURL(c.server)
		require.True(t, ok, c.server)
		u := bucketURL(server, c.region, c.bucket)
		require.Equal(t, c.want, u.String())
	}
}

// A page is held only as far as it is asked for, whatever a server sends.
func TestNoMoreObjectsAreHeldThanAreAskedFor(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, "<ListBucketResult>%s<IsTruncated>false</IsTruncated></ListBucketResult>", strings.Repeat("<Contents/>", 5000))
	}))
	defer server.Close()
	base := only.Value(url.Parse(server.URL + "/"))(t)
	c := bucketClient{http: server.Client(), base: *base}
	count := 0
	for _, err := range c.objects(t.Context(), "", 1200) {
		require.NoError(t, err)
		count++
	}
	require.Equal(t, 1201, count, "the last one shows that there are more")
}
