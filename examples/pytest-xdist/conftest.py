import os

import pytest
import requests

V1 = os.environ["PETSTORE_URL"].rstrip("/")
V2 = V1.removesuffix("/v1") + "/v2"


class Store(requests.Session):
    """A store, and the key that opens it: `store.get("/pets")` calls v1, `store.get("/pets", v2=True)` calls v2."""

    def __init__(self, key):
        super().__init__()
        self.headers["Authorization"] = f"Bearer {key}"

    def request(self, method, path, v2=False, **options):
        return super().request(method, (V2 if v2 else V1) + path, timeout=20, **options)


@pytest.fixture(scope="session")
def worker_store():
    """One store per xdist worker, so that workers never see each other's changes."""
    owner = Store(os.environ["PETSTORE_KEY"])
    opened = owner.post("/sandbox/stores", v2=True, json={"dataSet": "empty"})
    assert opened.status_code == 201, opened.text
    with Store(opened.json()["key"]) as store:
        yield store
        store.delete("/sandbox/stores/current", v2=True)


@pytest.fixture
def store(worker_store):
    """The worker's store, reset before each test."""
    assert worker_store.post("/sandbox/reset", v2=True, json={"dataSet": "default"}).status_code == 200
    return worker_store
