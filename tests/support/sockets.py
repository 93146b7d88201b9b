"""Connections of clients at addresses of their own on this machine."""

import socket
from http.client import HTTPException

from tests.tools.server import Server, read_from

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


def connect(server: Server, address: str = "127.0.0.1") -> socket.socket:
    """A connection of a client at another address, with little room for what it does not read."""
    client = socket.socket()
    client.settimeout(240)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.bind((address, 0))
    client.connect(server.address)
    return client


def is_served(client: socket.socket) -> bool:
    """Whether a connection is still open and answered on."""
    try:
        client.sendall(HEALTH)
        return read_from(client).status == 200
    except (ConnectionError, HTTPException):
        return False
