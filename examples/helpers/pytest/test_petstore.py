import json
from urllib.request import Request, urlopen


def get(petstore, path):
    with urlopen(Request(petstore.url + path, headers=petstore.headers), timeout=10) as response:
        return json.load(response)


def test_connection(petstore):
    assert len(get(petstore, "/pets")) == 12


def test_orders(petstore):
    assert len(get(petstore, "/store/orders")) == 40
