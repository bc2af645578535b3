"""Ten tests on four workers, each with its own store.

    pip install -r requirements.txt
    petstore run -- pytest -n 4
"""
import pytest


def error(response, status, code):
    assert (response.status_code, response.json()["code"]) == (status, code)


def listed(store):
    return [order["id"] for order in store.get("/store/orders").json()]


def test_connection(store):
    assert len(store.get("/pets").json()) == 12


def test_all_orders_are_listed(store):
    assert listed(store) == list(range(1, 41))


def test_a_cancelled_order_is_gone(store):
    assert store.delete("/store/orders/2").status_code == 204
    assert 2 not in listed(store)
    error(store.delete("/store/orders/2"), 404, "not_found")


@pytest.mark.parametrize("order", [1, 3])
def test_a_shipped_order_is_not_cancelled(store, order):
    error(store.delete(f"/store/orders/{order}"), 409, "order_already_shipped")
    assert order in listed(store)


def test_a_wrong_key_is_rejected(store):
    error(store.get("/pets", headers={"Authorization": "Bearer pst_test_wrong"}), 401, "invalid_api_key")


def test_placing_takes_from_the_stock(store):
    before = store.get("/pets/1", v2=True).json()["stock"]
    assert store.post("/store/orders", v2=True, json={"petId": 1, "quantity": 2}).status_code == 201
    assert store.get("/pets/1", v2=True).json()["stock"] == before - 2


def test_the_next_order_is_41(store):
    placed = store.post("/store/orders", v2=True, json={"petId": 1, "quantity": 1})
    assert placed.json()["id"] == 41


def test_ids_of_64_bits_are_exact(store):
    store.post("/sandbox/reset", v2=True, json={"dataSet": "int64"})
    assert 9223372036854775807 in listed(store)
    assert store.delete("/store/orders/9007199254740993").status_code == 204
    assert 9007199254740991 in listed(store)
    assert 9007199254740993 not in listed(store)


def test_a_lost_response_is_not_a_lost_order(store):
    prefer = {"Prefer": "fault=lost-answer", "Idempotency-Key": "once"}
    order = {"petId": 1, "quantity": 1}
    with pytest.raises(OSError):
        store.post("/store/orders", v2=True, json=order, headers=prefer)
    again = store.post("/store/orders", v2=True, json=order, headers={"Idempotency-Key": "once"})
    assert again.headers["Idempotent-Replayed"] == "true"
    assert listed(store)[-1] == 41
