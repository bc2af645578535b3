"""Calls the store under test: call('GET', 'v1/pets')."""
import json
import os
import urllib.error
import urllib.request

URLS = {'v1': os.environ['PETSTORE_URL'], 'v2': os.environ['PETSTORE_V2_URL']}
KEY = os.environ['PETSTORE_KEY']
OTHER_KEY = os.environ.get('PETSTORE_OTHER_KEY')  # of a second store
READ_KEY = os.environ.get('PETSTORE_READ_KEY')    # of the first store, read-only


class Response:
    def __init__(self, status, headers, text):
        self.status, self.headers, self.text = status, headers, text

    @property
    def body(self):
        return json.loads(self.text) if self.text else None


def call(method, path, body=None, key=KEY, headers=None):
    version, rest = path.split('/', 1)
    request = urllib.request.Request(URLS[version] + '/' + rest, method=method, headers=headers or {})
    if key:
        request.add_header('Authorization', 'Bearer ' + key)
    if body is not None:
        request.add_header('Content-Type', 'application/json')
        request.data = json.dumps(body).encode()
    try:
        response = urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        response = error
    return Response(response.status, response.headers, response.read().decode())


def check(what, condition):
    if not condition:
        raise SystemExit('FAILED: ' + what)


def is_error(response, status, code):
    seen = (response.status, response.body['status'], response.body['code'])
    check(f'{status} {code}, not {seen}', seen == (status, status, code))


def place(pet_id=1, quantity=1, **more):
    """Places an order and returns it."""
    response = call('POST', 'v2/store/orders', {'petId': pet_id, 'quantity': quantity, **more})
    check('an order is placed', response.status == 201)
    return response.body
