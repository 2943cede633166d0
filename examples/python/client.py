"""A Rota client in Python: client.py [FRONTEND] COMMAND [JSON]. Needs Python 3.8 and pyzmq.

Prints the result. Ends with 1 if the call failed, and says why on standard error.
"""
import json
import os
import struct
import sys
import time

import zmq

SIG = b"\0ROTA\1"


class CallError(Exception):
    """A call that failed, with its code; docs/ERRORS.md has them all."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Client:
    """Calls commands, one after the other."""

    def __init__(self, frontend):
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.linger = 1000
        self.socket.connect(frontend)
        self.instance = os.urandom(8)  # who asks; with a count it makes the request's id
        self.count = 0

    def call(self, command, value=None, timeout=10.0, **headers):
        """Has a command run with a value as JSON; gives its result."""
        self.count += 1
        request = self.instance + struct.pack(">Q", self.count)
        headers["timeout"] = str(int(timeout * 1000))
        frames = [command.encode(), encode(headers), json.dumps(value).encode()]
        self.socket.send_multipart([b"", SIG, b"TRACKEXEC", request, *frames])
        end = time.monotonic() + timeout
        while self.socket.poll(max(0, end - time.monotonic()) * 1000):
            _, sig, word, about, *rest = self.socket.recv_multipart()
            if sig != SIG or about != request:
                continue  # the late answer to a call that was given up
            if word == b"ERROR":
                raise CallError(rest[0].decode(), rest[1].decode())
            return json.loads(rest[0]) if rest else None
        self.socket.send_multipart([b"", SIG, b"CANCEL", request])
        raise CallError("TIMEOUT", "No answer came in time")


def encode(headers):
    """Headers as one frame: the length of each name in an octet, that of its value in four."""
    frame = b""
    for name, value in headers.items():
        name, value = name.encode(), value.encode()
        frame += struct.pack(">B", len(name)) + name + struct.pack(">I", len(value)) + value
    return frame


def main(args):
    frontend = "tcp://127.0.0.1:5555"
    if args and args[0].startswith("tcp://"):
        frontend = args.pop(0)
    if not 1 <= len(args) <= 2:
        sys.exit(__doc__)
    value = json.loads(args[1]) if len(args) == 2 else None
    try:
        print(json.dumps(Client(frontend).call(args[0], value)))
    except CallError as error:
        sys.exit("%s: %s" % (error.code, error))


if __name__ == "__main__":
    main(sys.argv[1:])
