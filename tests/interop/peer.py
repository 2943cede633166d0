"""The other side of the interop tests in Python: libzmq by pyzmq, written from ZeroMQ's own manual.

`python3 peer.py` reads commands as JSON lines on stdin and answers each by a JSON line with the same
`id` on stdout, as peer.mjs does; actor.mjs says what the commands mean. Ends at the end of stdin.
"""

import asyncio
import errno
import hashlib
import json
import sys

import zmq
import zmq.asyncio
from zmq.utils.monitor import parse_monitor_message

# No wait is longer than this, so that a fault is a failure and never a hang.
PATIENCE_MS = 8000
# Frames up to this size are reported as they are, longer ones by size and digest.
SHOWN_BYTES = 64

TYPES = {"Request": zmq.REQ, "Reply": zmq.REP, "Dealer": zmq.DEALER, "Router": zmq.ROUTER}

OPTIONS = {
    "linger": zmq.LINGER,
    "sendTimeout": zmq.SNDTIMEO,
    "receiveTimeout": zmq.RCVTIMEO,
    "sendHighWaterMark": zmq.SNDHWM,
    "receiveHighWaterMark": zmq.RCVHWM,
    "routingId": zmq.ROUTING_ID,
    "handover": zmq.ROUTER_HANDOVER,
    "mandatory": zmq.ROUTER_MANDATORY,
    "probeRouter": zmq.PROBE_ROUTER,
    "correlate": zmq.REQ_CORRELATE,
    "relaxed": zmq.REQ_RELAXED,
    "reconnectInterval": zmq.RECONNECT_IVL,
    "heartbeatInterval": zmq.HEARTBEAT_IVL,
    "heartbeatTimeout": zmq.HEARTBEAT_TIMEOUT,
    "heartbeatTimeToLive": zmq.HEARTBEAT_TTL,
}

# Monitor events by the names that zeromq.js gives them.
EVENTS = {
    zmq.EVENT_ACCEPTED: "accept",
    zmq.EVENT_LISTENING: "bind",
    zmq.EVENT_CONNECTED: "connect",
    zmq.EVENT_CONNECT_DELAYED: "connect:delay",
    zmq.EVENT_CONNECT_RETRIED: "connect:retry",
    zmq.EVENT_CLOSED: "close",
    zmq.EVENT_DISCONNECTED: "disconnect",
    zmq.EVENT_HANDSHAKE_SUCCEEDED: "handshake",
    zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL: "handshake:error:protocol",
    zmq.EVENT_HANDSHAKE_FAILED_AUTH: "handshake:error:auth",
    zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL: "handshake:error:other",
}

# The pattern that actor.mjs makes comes again after 64 KiB.
PATTERN = bytes((i * 7 + (i >> 8) * 13) & 0xFF for i in range(65536))


def pattern(size):
    """So many bytes of the pattern."""
    return (PATTERN * (size // len(PATTERN) + 1))[:size]


def bytes_of(text):
    """The bytes that a frame's text stands for: =text, #hex or ~size."""
    kind, rest = text[0], text[1:]
    if kind == "=":
        return rest.encode()
    if kind == "#":
        return bytes.fromhex(rest)
    if kind == "~":
        return pattern(int(rest))
    raise ValueError(f"Cannot read a frame: {text!r} is no =text, #hex or ~size")


def text_of(frame):
    """What a received frame is reported as."""
    if len(frame) > SHOWN_BYTES:
        return f"{len(frame)} bytes {hashlib.sha256(frame).hexdigest()}"
    if all(0x20 <= byte < 0x7F for byte in frame):
        return "=" + frame.decode()
    return "#" + frame.hex()


def set_option(socket, name, value):
    """Sets an option by the name that zeromq.js gives it."""
    socket.setsockopt(OPTIONS[name], value.encode() if isinstance(value, str) else int(value))


class Actor:
    """One socket, what has happened to it, and what it can be told to do."""

    def __init__(self, context, kind, options):
        self.socket = context.socket(TYPES[kind])
        defaults = {"linger": 0, "sendTimeout": PATIENCE_MS, "receiveTimeout": PATIENCE_MS}
        for name, value in {**defaults, **options}.items():
            set_option(self.socket, name, value)
        self.seen = []
        self.changed = asyncio.Condition()
        self.monitor = self.socket.get_monitor_socket()
        self.watching = asyncio.ensure_future(self.watch())

    async def watch(self):
        """Keeps the names of events as they come."""
        while True:
            event = parse_monitor_message(await self.monitor.recv_multipart())["event"]
            if event in EVENTS:
                async with self.changed:
                    self.seen.append(EVENTS[event])
                    self.changed.notify_all()

    async def bind(self, endpoint):
        self.socket.bind(endpoint)
        return self.socket.getsockopt(zmq.LAST_ENDPOINT).rstrip(b"\0").decode()

    async def connect(self, endpoint):
        self.socket.connect(endpoint)

    async def set(self, option, value):
        set_option(self.socket, option, value)

    async def send(self, frames):
        await self.socket.send_multipart([bytes_of(frame) for frame in frames])

    async def sendWhenKnown(self, frames):
        """Sends as soon as a ROUTER with `mandatory` knows the peer."""
        for _ in range(PATIENCE_MS // 5):
            try:
                return await self.send(frames)
            except zmq.ZMQError as error:
                if error.errno != errno.EHOSTUNREACH:
                    raise
            await asyncio.sleep(0.005)
        raise RuntimeError("Cannot send: the peer stayed unknown")

    async def take(self, again):
        """A message. `again` forgives one EAGAIN: pyzmq gives it at once for one that libzmq skips."""
        try:
            return await self.socket.recv_multipart()
        except zmq.Again:
            if not again:
                raise
            return await self.socket.recv_multipart()

    async def receive(self, again=False):
        return [text_of(frame) for frame in await self.take(again)]

    async def nudge(self):
        """Lets libzmq see to its connections, which it does only inside of calls."""
        self.socket.getsockopt(zmq.EVENTS)

    async def echo(self, count, again):
        """Sends messages back as they came; returns the last."""
        frames = []
        for _ in range(count):
            frames = await self.take(again)
            await self.socket.send_multipart(frames)
        return [text_of(frame) for frame in frames]

    async def stream(self, head, count):
        before = [bytes_of(frame) for frame in head]
        for i in range(count):
            await self.socket.send_multipart([*before, str(i).encode()])

    async def expect(self, count):
        for i in range(count):
            expect_number(await self.socket.recv_multipart(), i)

    async def lockstep(self, count):
        for i in range(count):
            await self.socket.send(str(i).encode())
            expect_number(await self.socket.recv_multipart(), i)

    async def awaitEvent(self, type, count):
        """Waits until an event has come `count` times since the socket was made."""
        async def came():
            async with self.changed:
                await self.changed.wait_for(lambda: self.seen.count(type) >= count)
        try:
            await asyncio.wait_for(came(), PATIENCE_MS / 1000)
        except asyncio.TimeoutError:
            seen = ", ".join(self.seen)
            raise RuntimeError(f"No {type} ({count}) in time, but: {seen}") from None

    async def events(self):
        return list(self.seen)

    async def close(self):
        self.watching.cancel()
        self.socket.disable_monitor()
        self.socket.close()


def expect_number(frames, number):
    """Fails unless the last frame is that number."""
    if frames[-1] != str(number).encode():
        raise RuntimeError(f"Expected number {number}, received {frames[-1]!r}")


class Peer:
    """All sockets by name."""

    def __init__(self):
        self.context = zmq.asyncio.Context()
        self.actors = {}

    async def execute(self, op, name, **details):
        """Does what one command says and returns its value."""
        if op == "create":
            if name in self.actors:
                raise RuntimeError(f"Cannot create: {name} is taken")
            self.actors[name] = Actor(self.context, details["type"], details["options"])
            return None
        if name not in self.actors:
            raise RuntimeError(f"Cannot {op}: no socket is named {name}")
        actor = self.actors.pop(name) if op == "close" else self.actors[name]
        return await getattr(actor, op)(**details)

    async def answer(self, id, **command):
        try:
            say({"id": id, "value": await self.execute(**command)})
        except zmq.ZMQError as error:
            code = errno.errorcode.get(error.errno, "EFSM" if error.errno == zmq.EFSM else None)
            say({"id": id, "error": {"message": str(error), "code": code}})
        except Exception as error:  # whatever it was, the test has to be told
            say({"id": id, "error": {"message": repr(error), "code": None}})


def say(line):
    print(json.dumps(line), flush=True)


async def main():
    loop = asyncio.get_running_loop()
    # A line may carry many frames.
    reader = asyncio.StreamReader(limit=2**24)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    peer = Peer()
    running = set()
    say({"id": 0, "value": f"pyzmq {zmq.pyzmq_version()}, libzmq {zmq.zmq_version()}"})
    while line := await reader.readline():
        task = asyncio.ensure_future(peer.answer(**json.loads(line)))
        running.add(task)
        task.add_done_callback(running.discard)


asyncio.run(main())
