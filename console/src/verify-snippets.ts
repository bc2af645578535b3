import type { Snippet } from './calls.ts';

/** Webhook signature verification in four languages, without dependencies. */
export const verifySnippets: readonly Snippet[] = [
  {
    name: 'JavaScript',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto';

// Pass the raw body, before parsing. The secret starts with whsec_.
export function isGenuine(headers, body, secret) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age < 300)) return false;

  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const hmac = createHmac('sha256', key);
  const expected = hmac.update(\`\${id}.\${timestamp}.\`).update(body).digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice(3), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}`,
  },
  {
    name: 'Python',
    code: `import base64, hashlib, hmac, time

# Pass the raw body as bytes, before parsing. The secret starts with whsec_.
def is_genuine(headers, body, secret):
    message_id = headers["webhook-id"]
    timestamp = headers["webhook-timestamp"]
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) >= 300:
        return False

    key = base64.b64decode(secret.removeprefix("whsec_"))
    content = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(key, content, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    return any(
        hmac.compare_digest(given.encode(), expected.encode())
        for given in headers["webhook-signature"].split(" ")
    )`,
  },
  {
    name: 'Go',
    code: `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// IsGenuine takes the raw body, before parsing. The secret starts with whsec_.
func IsGenuine(header http.Header, body []byte, secret string) bool {
	timestamp := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() >= 5*time.Minute {
		return false
	}

	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(header.Get("webhook-id") + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, given := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(given), []byte(expected)) {
			return true
		}
	}
	return false
}`,
  },
  {
    name: 'Java',
    code: `import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Webhooks {
  /** Pass the raw body, before parsing. The secret starts with whsec_. */
  static boolean isGenuine(String id, String timestamp, String signatures, byte[] body, String secret)
      throws Exception {
    if (!timestamp.matches("[0-9]{1,12}")) return false;
    long age = System.currentTimeMillis() / 1000 - Long.parseLong(timestamp);
    if (Math.abs(age) >= 300) return false;

    Mac mac = Mac.getInstance("HmacSHA256");
    byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
    byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body)))
        .getBytes(StandardCharsets.UTF_8);
    return Arrays.stream(signatures.split(" "))
        .anyMatch(given -> MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), expected));
  }
}`,
  },
];
