export const python = `"""A starter client for Pet Store that uses only Python's standard library.

    petstore check-client -- python3 client.py
"""
import base64, email.utils, hashlib, hmac, http.client, http.server, json, os, sys, time
import urllib.error, urllib.parse, urllib.request, uuid

V1, V2, KEY = (os.environ["PETSTORE_" + name] for name in ("URL", "V2_URL", "KEY"))
TRIES = 3
TIMEOUT = 15


def open_url(url, method="GET", body=None, headers=()):
    headers = {"Authorization": "Bearer " + KEY, "Content-Type": "application/json", **dict(headers)}
    return urllib.request.urlopen(urllib.request.Request(url, body, headers, method=method), timeout=TIMEOUT)


def call(url, method="GET", body=None, headers=()):
    """Returns status, headers and JSON. Retries requests that are safe to repeat."""
    is_repeatable = method != "POST" or "Idempotency-Key" in dict(headers)
    may_have_succeeded = False
    for left in reversed(range(TRIES)):
        try:
            with open_url(url, method, body, headers) as response:
                text = response.read()
                warn(method, url, response.headers)
                # Integers of any size stay exact in Python.
                return response.status, response.headers, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            if error.code == 304:
                return 304, error.headers, None
            # The attempt whose response was lost has cancelled the order.
            if error.code == 404 and method == "DELETE" and may_have_succeeded:
                return 404, error.headers, None
            # Everything else is final: a retry would be rejected again.
            if error.code not in (429, 503) or left == 0:
                sys.exit(f"{error.code} {error.read().decode()}")
            time.sleep(seconds(error.headers.get("Retry-After", "1")))
        except (OSError, http.client.HTTPException) as error:
            if not is_repeatable or left == 0:
                sys.exit(f"no response: {error!r}")
            may_have_succeeded = True


def seconds(retry_after):
    """Retry-After is a number of seconds, or a date."""
    if retry_after.isdigit():
        return int(retry_after)
    return max(0, email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time())


def warn(method, url, headers):
    if "Deprecation" in headers:
        print(f"{method} {url} is deprecated; sunset: {headers.get('Sunset')}", file=sys.stderr)


def show(rows):
    for row in rows:
        print(row["id"])


def list_orders():
    show(call(V1 + "/store/orders")[2])


def list_orders_twice():
    _, headers, orders = call(V1 + "/store/orders")
    status, _, newer = call(V1 + "/store/orders", headers={"If-None-Match": headers["ETag"]})
    show(orders if status == 304 else newer)


def list_pages():
    cursor = ""
    while cursor is not None:
        page = call(V2 + "/store/orders?limit=1000" + (cursor and "&cursor=" + cursor))[2]
        show(page["data"])
        cursor = page["nextCursor"]


def list_pets_twice():
    for _ in range(2):
        show(call(V1 + "/pets")[2])


def place_order():
    # The same key on every attempt, so that a lost response does not cause a second order.
    call(V2 + "/store/orders", "POST", b'{"petId":1,"quantity":1}', {"Idempotency-Key": str(uuid.uuid4())})


def watch_events():
    last, left = os.environ["PETSTORE_AFTER"], int(os.environ["PETSTORE_COUNT"])
    while left > 0:
        try:
            with open_url(V2 + "/store/events/stream", headers={"Last-Event-ID": last}) as stream:
                for line in stream:
                    if line.startswith(b"data: "):
                        last = json.loads(line[6:])["id"]
                        print(last)
                        left -= 1
                        if left == 0:
                            return
        except urllib.error.HTTPError as error:
            sys.exit(f"{error.code} {error.read().decode()}")
        except (OSError, http.client.HTTPException):
            pass
        time.sleep(0.5)


def is_signed(headers, body):
    """Follows Standard Webhooks: a signature over id, timestamp and raw body, and a recent timestamp."""
    sent = headers.get("webhook-timestamp", "")
    if not sent.isdigit() or abs(time.time() - int(sent)) > 300:
        return False
    secret = base64.b64decode(os.environ["PETSTORE_WEBHOOK_SECRET"].removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id')}.{sent}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)).decode()
    return any(hmac.compare_digest(expected, one) for one in headers.get("webhook-signature", "").split(" "))


def receive_webhooks():
    seen = set()

    class Receiver(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            good = is_signed(self.headers, body)
            if good and self.headers["webhook-id"] not in seen:
                seen.add(self.headers["webhook-id"])
                print(json.loads(body)["id"])
            self.send_response(204 if good else 400)
            self.end_headers()

        def log_message(self, *_):
            pass

    address = urllib.parse.urlsplit(os.environ["PETSTORE_WEBHOOK_URL"])
    with http.server.HTTPServer((address.hostname, address.port), Receiver) as server:
        while len(seen) < int(os.environ["PETSTORE_COUNT"]):
            server.handle_request()


tasks = {
    "list-orders": list_orders,
    "list-orders-twice": list_orders_twice,
    "list-pages": list_pages,
    "list-pets-twice": list_pets_twice,
    "get-pet": lambda: print(call(V2 + "/pets/1")[2]["name"]),
    "get-pet-v1": lambda: print(call(V1 + "/pets/1")[2]["name"]),
    "cancel-order": lambda: call(V1 + "/store/orders/" + os.environ["PETSTORE_ORDER_ID"], "DELETE"),
    "place-order": place_order,
    "place-two-orders": lambda: (place_order(), place_order()),
    "watch-events": watch_events,
    "receive-webhooks": receive_webhooks,
}
task = tasks.get(os.environ["PETSTORE_TASK"])
if task is None:
    sys.exit(64)
task()
`;
