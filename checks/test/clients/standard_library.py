"""A client as one writes it with Python's standard library alone: nothing is tried again."""
import json, os, sys, urllib.request

v1, v2, key, task = (os.environ["PETSTORE_" + name] for name in ("URL", "V2_URL", "KEY", "TASK"))


def call(url, method="GET", body=None, **headers):
    headers |= {"Authorization": "Bearer " + key, "Content-Type": "application/json"}
    request = urllib.request.Request(url, body, headers, method=method)
    with urllib.request.urlopen(request, timeout=20) as answer:
        text = answer.read()
        return json.loads(text) if text else None


def show(orders):
    for order in orders:
        print(order["id"])


if task == "list-orders":
    show(call(v1 + "/store/orders"))
elif task == "list-pages":
    cursor = ""
    while cursor is not None:
        page = call(v2 + "/store/orders?limit=1000" + (cursor and "&cursor=" + cursor))
        show(page["data"])
        cursor = page["nextCursor"]
elif task == "list-pets-twice":
    for _ in range(2):
        show(call(v1 + "/pets"))
elif task == "get-pet":
    print(call(v2 + "/pets/1")["name"])
elif task == "get-pet-v1":
    print(call(v1 + "/pets/1")["name"])
elif task == "cancel-order":
    call(v1 + "/store/orders/" + os.environ["PETSTORE_ORDER_ID"], "DELETE")
elif task in ("place-order", "place-two-orders"):
    for _ in range(2 if task == "place-two-orders" else 1):
        call(v2 + "/store/orders", "POST", b'{"petId":1,"quantity":1}')
else:
    sys.exit(64)
