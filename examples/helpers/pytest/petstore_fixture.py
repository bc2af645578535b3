"""A pytest fixture that starts a private Pet Store for the test session.

Copy this file next to your tests, put `from petstore_fixture import petstore` into conftest.py, and use it:

    def test_connection(petstore):
        response = requests.get(f"{petstore.url}/pets", headers=petstore.headers)

Requires `petstore` on the path, or its location in the environment variable PETSTORE.
"""

import os
import subprocess
import sys
from typing import NamedTuple

import pytest

# `petstore run` stops the service and deletes its data when this command ends: at the end of its input, even after a crash of the tests.
WAIT = """
import os, sys
print(os.environ["PETSTORE_URL"], os.environ["PETSTORE_V2_URL"], os.environ["PETSTORE_KEY"], flush=True)
sys.stdin.read()
"""


class PetStore(NamedTuple):
    url: str
    v2_url: str
    key: str

    @property
    def headers(self):
        return {"Authorization": f"Bearer {self.key}"}


@pytest.fixture(scope="session")
def petstore():
    program = os.environ.get("PETSTORE", "petstore")
    command = [program, "run", "--", sys.executable, "-c", WAIT]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        if not line:
            pytest.exit(f"{program} did not start: exit code {process.wait()}", returncode=3)
        yield PetStore(*line.split())
