// How a receiver verifies a signature, in the languages of the guide. A test holds that both
// say the same, and that the guide's work.

export const inGo = `import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

// genuine says that Milaan sent the body. signature is the X-Milaan-Sig header.
func genuine(body []byte, signature, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	sent, err := hex.DecodeString(signature)
	return err == nil && hmac.Equal(sent, mac.Sum(nil))
}`;

export const inNode = `import { createHmac, timingSafeEqual } from "node:crypto";

export function genuine(body, signature, secret) {
  const ours = createHmac("sha256", secret).update(body).digest();
  const sent = Buffer.from(signature, "hex");
  return sent.length === ours.length && timingSafeEqual(sent, ours);
}`;

export const inPython = `import hashlib
import hmac


def genuine(body, signature, secret):
    ours = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(ours.encode(), signature.encode())`;
