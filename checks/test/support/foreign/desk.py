"""A service by the letter of the specification, without an HTTP library: chunked bodies, header names in lower case,
responses in two packets, 410 for the deprecated operation, orders that show little more than their ids, and an order
that ships while the client looks."""

import json
import socketserver
import time

KEY = "d0bad0bbd18ed187.~-_+/=="
BASE = "/stores/7/pets/v1"
MAX_ID = 2**63 - 1


class Store:
    orders = {
        1: {"id": 1, "shipDate": "2026-01-02T03:04:05.678901234-11:30", "complete": True, "petId": MAX_ID},
        MAX_ID: {"id": MAX_ID, "shipDate": "9999-12-31t23:59:59z", "complete": False, "quantity": 1},
        MAX_ID - 1: {"complete": False, "id": MAX_ID - 1, "x-color": {"nested": [None, 1.5]}},
        12: {"id": 12},
    }
    pending = {MAX_ID, MAX_ID - 1}


class Desk(socketserver.StreamRequestHandler):
    def handle(self):
        while self.request_line():
            pass

    def request_line(self):
        line = self.rfile.readline().decode("latin-1").split()
        if len(line) != 3:
            return False
        headers = {}
        while (field := self.rfile.readline().decode("latin-1").strip()) != "":
            name, _, value = field.partition(":")
            headers[name.lower()] = value.strip()
        self.rfile.read(int(headers.get("content-length", "0")))
        self.send(*self.respond(line[0], line[1], headers))
        return headers.get("connection", "").lower() != "close"

    def respond(self, method, target, headers):
        path, _, query = target.partition("?")
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or token.strip() != KEY:
            return 401, self.error("no-entry", "Bitte den Schlüssel zeigen.", 401)
        if not path.startswith(BASE + "/"):
            return 404, self.error("?", "Nothing.", 404)
        parts = path[len(BASE) + 1 :].split("/")
        if method == "GET" and parts == ["store", "orders"]:
            return 200, [*Store.orders.values()]
        if method == "DELETE" and parts[:2] == ["store", "orders"] and len(parts) == 3:
            if query:
                return 422, self.error("QUERY", "This has no parameters.", 422)
            return self.cancel(parts[2])
        if method == "GET" and parts == ["pets"]:
            return 200, {str(MAX_ID): "Rex"}
        if method == "GET" and parts[0] == "pets" and len(parts) == 2:
            return 410, self.error("SUNSET", "CallService for all pets.", 410)
        return 405, self.error("METHOD", "Not here.", 405)

    def cancel(self, text):
        id = int(text) if text.isascii() and text.isdigit() and len(text) < 20 else None
        if id not in Store.orders:
            return 404, self.error("unknown order", "There is no such order.", 404)
        if id not in Store.pending:
            return 409, self.error("TOO_LATE", "\u2708", 409)
        Store.pending.discard(id)
        del Store.orders[id]
        return 204, None

    def error(self, code, message, status):
        return {"message": message, "status": status, "code": code, "@context": None}

    def send(self, status, body):
        head = f"HTTP/1.1 {status} -\r\ndate: {time.strftime('%a, %d %b %Y %H:%M:%S GMT', time.gmtime())}\r\n"
        if body is None:
            return self.wfile.write(f"{head}\r\n".encode())
        text = json.dumps(body).encode()
        self.wfile.write(f"{head}content-type: Application/JSON ; charset=UTF-8\r\ntransfer-encoding: chunked\r\n\r\n".encode())
        for part in (text[:7], text[7:]):
            self.wfile.write(f"{len(part):X}\r\n".encode() + part + b"\r\n")
        self.wfile.write(b"0\r\n\r\n")


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


server = Server(("127.0.0.1", 0), Desk)
print(f"http://127.0.0.1:{server.server_address[1]}{BASE}", flush=True)
server.serve_forever()
