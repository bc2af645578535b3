"""Run: PETSTORE_URL=http://127.0.0.1:8081/v1 PETSTORE_KEY=pst_test_… python3 orders.py"""
import json
import os
import urllib.error
import urllib.request
import uuid

V1 = os.environ["PETSTORE_URL"].rstrip("/")
V2 = V1.removesuffix("/v1") + "/v2"
KEY = os.environ["PETSTORE_KEY"]


def call(method, url, body=None, headers=None):
    """The response as JSON; Python integers are exact at any length."""
    request = urllib.request.Request(
        url,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {KEY}", "Content-Type": "application/json", **(headers or {})},
    )
    with urllib.request.urlopen(request, timeout=20) as response:
        text = response.read()
    return json.loads(text) if text else None


orders = call("GET", f"{V1}/store/orders")
print(f"{len(orders)} orders, last id {orders[-1]['id']}")

pet = call("GET", f"{V2}/pets?status=available&limit=1000")["data"][-1]

# A retry with the same Idempotency-Key and body gets the first response, so there is never a second order.
order = call(
    "POST",
    f"{V2}/store/orders",
    {"petId": pet["id"], "quantity": 1},
    {"Idempotency-Key": str(uuid.uuid4())},
)
print(f"placed order {order['id']} for pet {order['petId']}")

call("DELETE", f"{V2}/store/orders/{order['id']}")
print(f"cancelled order {order['id']}")

try:
    call("DELETE", f"{V2}/store/orders/{order['id']}")
except urllib.error.HTTPError as rejected:
    print(f"cancelled again: {rejected.code} {json.load(rejected)['code']}")
