"""Clients that read nothing, through small windows: Node cannot set a receive buffer.

Reads {"host", "port", "from", "requests"} as JSON from standard input, a line. Opens a connection for each request, prints
how many were opened, and holds them until standard input ends.
"""

import json
import socket
import sys

RECEIVE_BUFFER = 4096
SEGMENT = 536

task = json.loads(sys.stdin.readline())
connections = []
for request in task["requests"]:
    connection = socket.socket()
    # Both before the connection: the first window and the segment size are announced in its first packet.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SEGMENT)
    connection.bind((task["from"], 0))
    try:
        connection.connect((task["host"], task["port"]))
        connection.sendall(request.encode("latin-1"))
        connections.append(connection)
    except OSError:
        # The service closed it, which is a way to reject it.
        connection.close()
print(len(connections), flush=True)
sys.stdin.read()
