"""A service by the letter of the specification: HTTP/1.0, ids beyond 2^53 and below 0, and orders without any field."""

import json
import random
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "Zm9v.bar~baz+/=="
BASE = "/shop/v1"
LARGE = 2**53
ORDERS = {
    LARGE + 1: ["pending", {"id": LARGE + 1, "petId": -4, "quantity": 2.0, "shipDate": "2031-02-03T10:00:00+02:00"}],
    LARGE: ["shipped", {"id": LARGE, "complete": False}],
    -7: ["pending", {"id": -7, "quantity": 0, "status": "waiting"}],
    31: ["shipped", {"id": 31, "shipDate": "2016-12-31T23:59:60Z", "complete": True}],
}
WITHOUT_ID = [{}, {"petId": 9}]


class Handler(BaseHTTPRequestHandler):
    def respond(self, status, body=None):
        text = b"" if body is None else json.dumps(body, indent=3).encode()
        self.send_response(status)
        if text:
            self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(text)

    def reject(self, status, message):
        self.respond(status, {"status": status, "message": message, "code": f"E{status}", "trace": [1, 2]})

    def handle_request(self):
        path = self.path.split("?")[0].removeprefix(BASE)
        match = re.fullmatch(r"/(store/orders|pets)(?:/([^/]*))?", path)
        if not match:
            return self.reject(404, "kein Weg")
        if self.headers["Authorization"] != "Bearer " + KEY:
            return self.reject(401, "kein Schlüssel")
        resource, id = match.groups()
        call = f"{self.command} {resource}{'' if id is None else '/{id}'}"
        if call == "GET store/orders":
            orders = [*WITHOUT_ID, *(order for _, order in ORDERS.values())]
            random.shuffle(orders)
            return self.respond(200, orders)
        if call == "DELETE store/orders/{id}":
            return self.cancel(id)
        if call == "GET pets":
            return self.respond(200, {"animals": "many"})
        if call == "GET pets/{id}":
            return self.respond(200, "a pet")
        return self.reject(405, "nein")

    def cancel(self, id):
        if not re.fullmatch(r"-?\d+", id, re.ASCII):
            return self.reject(400, "keine Zahl")
        order = ORDERS.get(int(id))
        if order is None:
            return self.reject(404, "fehlt")
        if order[0] != "pending":
            return self.reject(409, order[0])
        # A cancelled order stays in the list.
        order[0] = "cancelled"
        return self.respond(204)

    def log_message(self, *args):
        pass

    do_GET = do_DELETE = do_POST = do_PUT = do_PATCH = do_OPTIONS = handle_request


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}{BASE}", flush=True)
server.serve_forever()
