"""Clients that read nothing, through small windows: Node cannot set a receive buffer.

Reads a line of JSON from standard input: {"host", "port", "from", "requests"}. Opens a connection for each request, all at
once. Prints "sent" when all have been started, and when they are open, their number and that of the packets that were
retransmitted to open them. Holds the connections until standard input ends.
"""

import json
import select
import socket
import sys
import time

RECEIVE_BUFFER = 4096
SEGMENT = 536
TIMEOUT_SECONDS = 20
# Offset of tcpi_total_retrans in struct tcp_info (linux/tcp.h).
TOTAL_RETRANS_OFFSET = 100

task = json.loads(sys.stdin.readline())
opened = []
retransmitted = 0


def send(connection, request):
    """False while the connection is not open yet."""
    global retransmitted
    try:
        connection.send(request.encode("latin-1"))
        information = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
        retransmitted += int.from_bytes(information[TOTAL_RETRANS_OFFSET:][:4], sys.byteorder)
        opened.append(connection)
    except BlockingIOError:
        return False
    except OSError:
        # The service rejected the connection by closing it.
        connection.close()
    return True


def connect(request):
    connection = socket.socket()
    connection.setblocking(False)
    # Both before connecting: the first packet announces the window and the segment size.
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
print(len(opened), retransmitted, flush=True)
sys.stdin.read()
