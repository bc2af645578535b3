"""Run: PETSTORE_URL=http://127.0.0.1:8080/v1 PETSTORE_KEY=pst_live_… python3 v1.py"""
import json
import os
import urllib.error
import urllib.request

URL = os.environ["PETSTORE_URL"].rstrip("/")
KEY = os.environ["PETSTORE_KEY"]


def call(method, path):
    """The status and JSON of a response; Python integers are exact at any length."""
    request = urllib.request.Request(URL + path, method=method, headers={"Authorization": f"Bearer {KEY}"})
    try:
        with urllib.request.urlopen(request, timeout=20) as response:
            text = response.read()
            return response.status, json.loads(text) if text else None
    except urllib.error.HTTPError as rejected:
        return rejected.code, json.load(rejected)


status, pets = call("GET", "/pets")
if status != 200:
    raise SystemExit(f"{status} {pets['code']}: {pets['message']}")
print(f"connected: {len(pets)} pets")

_, orders = call("GET", "/store/orders")
print(f"{len(orders)} orders, last id {orders[-1]['id']}")

# Only a pending order can be cancelled, and v1 shows no status: try the last one first.
for order in reversed([order for order in orders if not order["complete"]]):
    status, _ = call("DELETE", f"/store/orders/{order['id']}")
    if status == 204:
        print(f"cancelled order {order['id']}")
        break

delivered = [order for order in orders if order["complete"]][-1]
status, error = call("DELETE", f"/store/orders/{delivered['id']}")
print(f"order {delivered['id']} cannot be cancelled: {status} {error['code']}")
