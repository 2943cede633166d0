// @ts-self-types="./actor.d.mts"
/**
 * Plays sockets by command: the same code drives the real zeromq.js (in Node, see peer.mjs) and
 * Rota's own sockets (in Deno, see side.ts), so both must have the same API.
 *
 * Plain JavaScript, because Node 20 runs it. It knows neither the wire nor the cells of the matrix.
 *
 * A frame is written as text: `=text`, `#hex`, or `~size` (that many bytes of a fixed pattern).
 *
 * @module
 */

import { createHash } from "node:crypto";

/** Events that are kept, so that a cell can wait for one that has already come. */
const EVENTS = [
  "accept",
  "bind",
  "connect",
  "connect:delay",
  "connect:retry",
  "close",
  "disconnect",
  "handshake",
  "handshake:error:protocol",
  "handshake:error:auth",
  "handshake:error:other",
];

/** No wait is longer than this, so that a fault is a failure and never a hang. */
const PATIENCE_MS = 8000;

/** Frames up to this size are reported as they are, longer ones by size and digest. */
const SHOWN_BYTES = 64;

/** Frames of the pattern, kept by size: 10 MiB are worth making once. */
const patterns = new Map();

/** The bytes that a frame's text stands for. */
export function bytesOf(text) {
  const rest = text.slice(1);
  switch (text[0]) {
    case "=":
      return new TextEncoder().encode(rest);
    case "#":
      return Uint8Array.from(rest.match(/../g) ?? [], (pair) => parseInt(pair, 16));
    case "~":
      return pattern(Number(rest));
    default:
      throw new TypeError(
        `Cannot read a frame: ${JSON.stringify(text)} is no =text, #hex or ~size`,
      );
  }
}

/** What a received frame is reported as: `=text`, `#hex`, or size and digest. */
export function textOf(bytes) {
  if (bytes.length > SHOWN_BYTES) {
    return `${bytes.length} bytes ${createHash("sha256").update(bytes).digest("hex")}`;
  }
  if (bytes.every((byte) => byte >= 0x20 && byte < 0x7f)) {
    return `=${new TextDecoder().decode(bytes)}`;
  }
  return `#${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function pattern(size) {
  const known = patterns.get(size);
  if (known) return known;
  const bytes = new Uint8Array(size);
  for (let i = 0; i < size; i++) bytes[i] = (i * 7 + (i >> 8) * 13) & 0xff;
  patterns.set(size, bytes);
  return bytes;
}

/** The sockets of one side, and what they can be told to do. */
export class Actor {
  #library;
  #actors = new Map();

  /** @param library a module with the API of zeromq.js 6 */
  constructor(library) {
    this.#library = library;
  }

  /** Does what one command says and returns its value, which JSON can carry. */
  async execute(command) {
    if (command.op === "create") return this.#create(command);
    const actor = this.#actors.get(command.name);
    if (!actor) throw new Error(`Cannot ${command.op}: no socket is named ${command.name}`);
    const act = actions[command.op];
    if (!act) throw new Error(`Cannot ${command.op}: no such command`);
    if (command.op === "close") this.#actors.delete(command.name);
    return (await act(actor, command)) ?? null;
  }

  /** Closes all sockets. */
  async closeAll() {
    const all = [...this.#actors.values()];
    this.#actors.clear();
    for (const actor of all) await actions.close(actor);
  }

  #create({ name, type, options }) {
    if (this.#actors.has(name)) throw new Error(`Cannot create: ${name} is taken`);
    const socket = new this.#library[type]({
      linger: 0,
      sendTimeout: PATIENCE_MS,
      receiveTimeout: PATIENCE_MS,
      ...options,
    });
    const actor = { socket, seen: [], waiting: new Set() };
    for (const type of EVENTS) {
      socket.events.on(type, () => {
        actor.seen.push(type);
        for (const check of [...actor.waiting]) check();
      });
    }
    this.#actors.set(name, actor);
    return null;
  }
}

const actions = {
  async bind({ socket }, { endpoint }) {
    await socket.bind(endpoint);
    return socket.lastEndpoint;
  },

  connect({ socket }, { endpoint }) {
    socket.connect(endpoint);
  },

  set({ socket }, { option, value }) {
    socket[option] = value;
  },

  async send({ socket }, { frames }) {
    await socket.send(frames.map(bytesOf));
  },

  /** Sends as soon as a ROUTER with `mandatory` knows the peer. */
  async sendWhenKnown({ socket }, { frames }) {
    const message = frames.map(bytesOf);
    for (let tries = PATIENCE_MS / 5; tries > 0; tries--) {
      try {
        return await socket.send(message);
      } catch (error) {
        if (error.code !== "EHOSTUNREACH") throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error("Cannot send: the peer stayed unknown");
  },

  async receive({ socket }, { again }) {
    const frames = await receive(socket, again);
    return frames.map(textOf);
  },

  /**
   * Lets the socket see to its connections. libzmq does so only inside calls of the application: a bound
   * socket that nobody calls doesn't even send its probe.
   */
  nudge({ socket }) {
    void socket.readable;
  },

  /** Sends `count` messages back as they came; returns the last. */
  async echo({ socket }, { count, again }) {
    let frames = [];
    for (let i = 0; i < count; i++) {
      frames = await receive(socket, again);
      await socket.send(frames);
    }
    return frames.map(textOf);
  },

  /** Sends the numbers from 0, each behind the frames of `head`. */
  async stream({ socket }, { head, count }) {
    const before = head.map(bytesOf);
    for (let i = 0; i < count; i++) await socket.send([...before, String(i)]);
  },

  /** Receives the numbers from 0, each in the last frame; anything else fails. */
  async expect({ socket }, { count }) {
    for (let i = 0; i < count; i++) expectNumber(await socket.receive(), i);
  },

  /** Sends a number and waits for it, `count` times. */
  async lockstep({ socket }, { count }) {
    for (let i = 0; i < count; i++) {
      await socket.send(String(i));
      expectNumber(await socket.receive(), i);
    }
  },

  /** Waits until an event has come `count` times since the socket was made. */
  awaitEvent(actor, { type, count }) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        actor.waiting.delete(check);
        reject(
          new Error(
            `No ${type} (${count}) within ${PATIENCE_MS} ms, but: ${actor.seen.join(", ")}`,
          ),
        );
      }, PATIENCE_MS);
      const check = () => {
        if (actor.seen.filter((seen) => seen === type).length < count) return;
        clearTimeout(timer);
        actor.waiting.delete(check);
        resolve(null);
      };
      actor.waiting.add(check);
      check();
    });
  },

  events({ seen }) {
    return [...seen];
  },

  async close({ socket }) {
    if (Symbol.asyncDispose && socket[Symbol.asyncDispose]) await socket[Symbol.asyncDispose]();
    else socket.close();
  },
};

/**
 * Receives; `again` forgives one EAGAIN: zeromq.js gives it at once for a message that libzmq skips,
 * such as one without a delimiter at a REP, or an answer with another number at a REQ.
 */
async function receive(socket, again) {
  try {
    return await socket.receive();
  } catch (error) {
    if (!again || error.code !== "EAGAIN") throw error;
    return await socket.receive();
  }
}

function expectNumber(frames, number) {
  const text = frames[frames.length - 1].toString();
  if (text !== String(number)) {
    throw new Error(`Expected number ${number}, received ${JSON.stringify(text)}`);
  }
}
