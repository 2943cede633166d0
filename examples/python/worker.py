"""A Rota worker in Python: worker.py [BACKEND]. Needs Python 3.8 and pyzmq.

Commands take JSON and give JSON. They run in threads, so that the worker pings while they compute.
What goes over the wire is told in docs/PROTOCOL.md.
"""
import asyncio
import json
import os
import statistics
import sys
from concurrent.futures import ThreadPoolExecutor

import zmq
import zmq.asyncio

BACKEND = sys.argv[1] if len(sys.argv) > 1 else "tcp://127.0.0.1:5556"
SIG = b"\0ROTA\1"
SLOTS = 4
ADDRESS = b"python-%d" % os.getpid()
SILENT_SECONDS = 3


class JobError(Exception):
    """What a command raises to choose the code that its client sees."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def describe(numbers):
    """Mean, median and standard deviation of a list of numbers."""
    if len(numbers) < 2:
        raise JobError("TOO_FEW", "Two numbers at least are needed")
    return {
        "mean": statistics.mean(numbers),
        "median": statistics.median(numbers),
        "stdev": statistics.stdev(numbers),
    }


COMMANDS = {b"describe": describe}


def run(command, payload):
    """Runs a command; gives the frames that answer it."""
    try:
        if command not in COMMANDS:
            raise JobError("NO_COMMAND", "No command is called " + repr(command))
        result = COMMANDS[command](json.loads(payload[0]) if payload else None)
        return [b"RESPONSE", json.dumps(result).encode()]
    except JobError as error:
        return [b"ERROR", error.code.encode(), str(error).encode()]
    except Exception as error:
        return [b"ERROR", b"WORKER_FAILED", repr(error).encode()]


async def serve(context, pool):
    """Works until the broker says EXIT (True) or falls silent (False)."""
    loop = asyncio.get_running_loop()
    socket = context.socket(zmq.DEALER)
    socket.linger = 1000
    socket.connect(BACKEND)
    tasks = set()

    async def say(*frames):
        await socket.send_multipart([b"", *frames])

    async def register():
        options = [b"rota=1", b"heartbeat=working"]
        await say(b"REGISTER", b"%d" % SLOTS, *options, ADDRESS)

    async def work(job_id, kind, attempt, command, headers, *payload):
        words = await loop.run_in_executor(pool, run, command, payload)
        if kind == b"EXEC" and words[0] == b"RESPONSE":
            await say(job_id, b"")  # done; nobody waits for more
        else:
            await say(job_id, b"", SIG, *words)
        await say(b"INCREMENT", ADDRESS)

    def start(job_id, body):
        if body[0] != SIG:  # from a client that knows nothing of Rota: a command and its payload
            body = [SIG, b"TRACKEXEC", b"1", body[0], b"", *body[1:]]
        if body[1] in (b"CREDIT", b"CANCEL"):
            return  # no command streams, and a thread can't be stopped
        task = loop.create_task(work(job_id, *body[1:]))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    await register()
    heard = pinged = loop.time()
    try:
        while loop.time() - heard < SILENT_SECONDS:
            if loop.time() - pinged >= 1:
                pinged = loop.time()
                await say(b"PING", ADDRESS)
            if not await socket.poll(1000):
                continue
            heard = loop.time()
            _, *body = await socket.recv_multipart()
            if len(body) > 2 and body[0][:1] == b"\0" and body[1] == b"":
                start(body[0], body[2:])
            elif body[0] == b"REFUSED" and body[1] == b"unknown":
                await register()  # the broker was started anew
            elif body[0] == b"REFUSED":
                sys.exit("refused: " + body[1].decode())
            elif body == [b"EXIT"]:
                await asyncio.gather(*tasks)
                return True
        return False
    finally:
        socket.close()


async def main():
    context = zmq.asyncio.Context()
    with ThreadPoolExecutor(SLOTS) as pool:
        while not await serve(context, pool):
            pass


asyncio.run(main())
