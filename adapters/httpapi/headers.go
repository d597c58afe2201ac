package httpapi

import (
	"mime"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"milaan/adapters/httpapi/intake"
	"milaan/adapters/httpapi/unpack"
)

// demandJSON is the first check of a POST, with the contract's 415. It reads the header
// alone, and accepts no compressed body.
func demandJSON(h http.Header) error {
	if err := demandMedia(h); err != nil {
		return err
	}
	if !isPlain(h) {
		return errPacked
	}
	return nil
}

// demandJSONOrPacked is demandJSON for a body that may be compressed. A refusal tells by what it may
// be (RFC 7694).
func demandJSONOrPacked(c *gin.Context) error {
	h := c.Request.Header
	if err := demandMedia(h); err != nil {
		return err
	}
	if !isPlain(h) && coding(h) == "" {
		c.Header("Accept-Encoding", unpack.Accepted)
		return errCoding
	}
	return nil
}

// demandMedia is demandJSON without the compression.
func demandMedia(h http.Header) error {
	if len(h.Values("Content-Type")) > 1 || len(h.Values("Content-Encoding")) > 1 {
		return errMediaTwice // a proxy may read the other one, and see another body
	}
	media, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || media != "application/json" {
		return errMedia
	}
	if charset, given := params["charset"]; given && !strings.EqualFold(charset, "utf-8") {
		return errMedia
	}
	return nil
}

func isPlain(h http.Header) bool {
	encoding := h.Get("Content-Encoding")
	return encoding == "" || strings.EqualFold(encoding, "identity")
}

// coding returns how a body is compressed; blank if it is not, or by something else.
func coding(h http.Header) unpack.Coding { return unpack.Named(h.Get("Content-Encoding")) }

// The intake has the memory for what unpacking takes.
const _ uint = intake.MostUnpacking - unpack.MostTaken

// readUnpacked calls read with a request whose body is unpacked, if it is compressed: then what it
// unpacks to has the limits of a body.
func readUnpacked(r *http.Request, read func(*http.Request) (intake.Arrival, error)) (intake.Arrival, error) {
	by := coding(r.Header)
	if by == "" {
		return read(r)
	}
	if r.ContentLength > intake.MaxBody {
		return intake.Arrival{}, intake.ErrTooLarge
	}
	unpacked, drop := unpack.Request(r, by, intake.MaxBody,
		unpack.Errors{TooLarge: intake.ErrTooLarge, Damaged: errDamaged(by), Window: errWindow, Blocks: errBlocks(by)})
	defer drop()
	return read(unpacked)
}
