"""Clients that read nothing, through small windows: Node cannot set a receive buffer.

Reads {"host", "port", "from", "requests"} as JSON from standard input, a line. Opens a connection for each request, all at
once; prints a line when the last one is on its way, then how many were opened, and how many packets had to be repeated for
that. Holds the connections until standard input ends.
"""

import json
import select
import socket
import sys
import time

RECEIVE_BUFFER = 4096
SEGMENT = 536
TIMEOUT_SECONDS = 20
# Of tcpi_total_retrans in struct tcp_info (linux/tcp.h).
TOTAL_RETRANS_OFFSET = 100

task = json.loads(sys.stdin.readline())
opened = []
repeated = 0


def send(connection, request):
    """False while the connection is not open yet."""
    global repeated
    try:
        connection.send(request.encode("latin-1"))
        information = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
        repeated += int.from_bytes(information[TOTAL_RETRANS_OFFSET:][:4], sys.byteorder)
        opened.append(connection)
    except BlockingIOError:
        return False
    except OSError:
        # The service closed it, which is a way to reject it.
        connection.close()
    return True


def connect(request):
    connection = socket.socket()
    connection.setblocking(False)
    # Both before the connection: the first window and the segment size are announced in its first packet.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SEGMENT)
    connection.bind((task["from"], 0))
    connection.connect_ex((task["host"], task["port"]))
    return connection


poll = select.poll()
waiting = {}
for request in task["requests"]:
    connection = connect(request)
    if not send(connection, request):
        waiting[connection.fileno()] = (connection, request)
        poll.register(connection, select.POLLOUT)
print("sent", flush=True)

deadline = time.monotonic() + TIMEOUT_SECONDS
while waiting and time.monotonic() < deadline:
    for number, _ in poll.poll(1000):
        if send(*waiting[number]):
            poll.unregister(number)
            del waiting[number]
print(len(opened), repeated, flush=True)
sys.stdin.read()
