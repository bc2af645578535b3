"""Tests of a pet store, as you would write them from its documentation.

    pip install pytest requests
    petstore check-suite -- pytest -q examples/pytest
"""
import os
import uuid

import pytest
import requests

V1 = os.environ["PETSTORE_URL"]
V2 = os.environ.get("PETSTORE_V2_URL", V1.replace("/v1", "/v2"))
KEY = os.environ["PETSTORE_KEY"]


@pytest.fixture(scope="session")
def api():
    with requests.Session() as session:
        session.headers["Authorization"] = f"Bearer {KEY}"
        yield session


@pytest.fixture
def order(api):
    """A pending order of our own."""
    response = api.post(f"{V2}/store/orders", json={"petId": 1, "quantity": 1})
    assert response.status_code == 201
    return response.json()


def error(response, status, code):
    assert response.status_code == status
    body = response.json()
    assert body["code"] == code
    assert body["status"] == status
    assert body["message"]


def test_list_has_all_orders(api):
    orders = api.get(f"{V1}/store/orders").json()
    assert len(orders) >= 40


def test_order_has_the_five_fields(api):
    for order in api.get(f"{V1}/store/orders").json():
        assert list(order) == ["id", "petId", "quantity", "shipDate", "complete"]
        assert isinstance(order["quantity"], int)
        assert isinstance(order["complete"], bool)
        assert order["shipDate"].endswith("Z")


def test_list_is_ascending(api):
    ids = [order["id"] for order in api.get(f"{V1}/store/orders").json()]
    assert ids == sorted(ids)


@pytest.mark.parametrize("path", ["/store/orders", "/pets"])
def test_missing_key_is_401(path):
    error(requests.get(V1 + path), 401, "missing_api_key")


def test_wrong_key_is_401():
    response = requests.get(f"{V1}/store/orders", headers={"Authorization": "Bearer pst_test_wrong"})
    error(response, 401, "invalid_api_key")


def test_cancel_takes_the_order_out_of_the_list(api, order):
    response = api.delete(f"{V1}/store/orders/{order['id']}")
    assert response.status_code == 204
    assert response.content == b""
    assert order["id"] not in [one["id"] for one in api.get(f"{V1}/store/orders").json()]


def test_cancel_twice_is_404(api, order):
    api.delete(f"{V1}/store/orders/{order['id']}")
    error(api.delete(f"{V1}/store/orders/{order['id']}"), 404, "not_found")


def test_cancel_unknown_order_is_404(api):
    error(api.delete(f"{V1}/store/orders/4711"), 404, "not_found")


def test_cancel_shipped_order_is_409(api, order):
    assert api.post(f"{V2}/store/orders/{order['id']}/ship").status_code == 200
    error(api.delete(f"{V1}/store/orders/{order['id']}"), 409, "order_already_shipped")


def test_pets(api):
    pets = api.get(f"{V1}/pets").json()
    assert len(pets) == 12
    assert set(pets[0]) == {"id", "name", "category", "status"}


def test_pet_by_id(api):
    assert api.get(f"{V1}/pets/1").json()["id"] == 1
    error(api.get(f"{V1}/pets/4711"), 404, "not_found")


def test_placed_order_is_201(api):
    response = api.post(f"{V2}/store/orders", json={"petId": 1, "quantity": 2})
    assert response.status_code == 201
    placed = response.json()
    assert response.headers["Location"] == f"/v2/store/orders/{placed['id']}"
    assert placed["status"] == "pending"
    assert api.get(f"{V2}/store/orders/{placed['id']}").json() == placed


def test_placing_takes_from_the_stock(api):
    before = api.get(f"{V2}/pets/2").json()["stock"]
    api.post(f"{V2}/store/orders", json={"petId": 2, "quantity": 1})
    assert api.get(f"{V2}/pets/2").json()["stock"] == before - 1


@pytest.mark.parametrize("quantity", [0, 1001, "3"])
def test_wrong_quantity_is_400(api, quantity):
    response = api.post(f"{V2}/store/orders", json={"petId": 1, "quantity": quantity})
    error(response, 400, "invalid_body")


def test_too_much_is_409(api):
    response = api.post(f"{V2}/store/orders", json={"petId": 1, "quantity": 1000})
    error(response, 409, "insufficient_stock")


def test_idempotency_key(api):
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    first = api.post(f"{V2}/store/orders", json={"petId": 1, "quantity": 1}, headers=headers)
    again = api.post(f"{V2}/store/orders", json={"petId": 1, "quantity": 1}, headers=headers)
    assert again.json() == first.json()
    assert again.headers["Idempotent-Replayed"] == "true"


def test_life_of_an_order(api, order):
    url = f"{V2}/store/orders/{order['id']}"
    assert api.post(f"{url}/ship").json()["status"] == "shipped"
    delivered = api.post(f"{url}/deliver").json()
    assert (delivered["status"], delivered["complete"]) == ("delivered", True)
    states = [one["status"] for one in api.get(f"{url}/history").json()["data"]]
    assert states == ["pending", "shipped", "delivered"]


def test_delivering_a_pending_order_is_409(api, order):
    error(api.post(f"{V2}/store/orders/{order['id']}/deliver"), 409, "invalid_transition")


def test_pages(api):
    first = api.get(f"{V2}/store/orders", params={"limit": 10}).json()
    assert len(first["data"]) == 10
    second = api.get(f"{V2}/store/orders", params={"limit": 10, "cursor": first["nextCursor"]}).json()
    assert not {one["id"] for one in first["data"]} & {one["id"] for one in second["data"]}


def test_filter_by_status(api):
    page = api.get(f"{V2}/store/orders", params={"status": "shipped"}).json()
    assert {one["status"] for one in page["data"]} == {"shipped"}
