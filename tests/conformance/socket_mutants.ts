/**
 * Mistakes that one could make above the wire, in engine and sockets, each as one textual edit, and
 * the line of the checklist whose tests must notice it. Data alone.
 *
 * @module
 */

/** One mistake above the wire. */
export interface SocketMutant {
  /** The line of the checklist that it breaks. */
  readonly number: number;
  /** What goes wrong, in a few words. */
  readonly what: string;
  /** Below `protocol/`. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly from: string;
  /** What stands there instead. */
  readonly to: string;
}

/** What changes in a file: the file, the text and what replaces it. */
type Edit = readonly [file: string, from: string, to: string];

function mutant(number: number, what: string, [file, from, to]: Edit): SocketMutant {
  return { number, what, file: `${file}.ts`, from, to };
}

const LIFE: readonly SocketMutant[] = [
  mutant(6, "each octet gives a handshake more time", [
    "engine/liveness",
    "seen(now: number): void {",
    'seen(now: number): void {\n    if (this.#connection.state !== "OPEN") this.#started = now;',
  ]),
  mutant(20, "a handshake that takes too long gets an ERROR", [
    "engine/link",
    'return this.#fail(new SocketError("ETIMEDOUT", "the handshake took too long"));',
    `this.onHandshakeBytes(Uint8Array.of(4, 7, 5, 69, 82, 82, 79, 82, 0));
      return this.#fail(new SocketError("ETIMEDOUT", "the handshake took too long"));`,
  ]),
  mutant(23, "traffic after a PING is not taken as life", [
    "engine/liveness",
    "this.#asked = -1;\n  }\n\n  opened(",
    "}\n\n  opened(",
  ]),
  mutant(23, "nobody looks at the clock when a peer's own ttl is over", [
    "engine/liveness",
    "at = Math.min(at, this.#seen + this.#connection.peerTtl);",
    "",
  ]),
  mutant(24, "heartbeats are on unless told otherwise", [
    "sockets/options",
    "heartbeatInterval: 0,",
    "heartbeatInterval: 30_000,",
  ]),
  mutant(24, "a timeout that isn't set is half a minute", [
    "engine/liveness",
    "return heartbeatTimeout < 0 ? heartbeatInterval : heartbeatTimeout;",
    "return heartbeatTimeout < 0 ? 30_000 : heartbeatTimeout;",
  ]),
  mutant(25, "a peer that we don't read hears nothing from us", [
    "engine/liveness",
    'return this.#connection.knowsPing && !writing ? "pong" : "fine";',
    'return "fine";',
  ]),
  mutant(25, "heartbeats judge a peer whose queue is full", [
    "engine/liveness",
    "const blocked = writing && now > this.#progress;",
    "const blocked = false;",
  ]),
];

const ROUTER: readonly SocketMutant[] = [
  mutant(27, "a busy peer is received from until it has nothing left", [
    "sockets/fair_queue",
    "this.#turn++;",
    "",
  ]),
  mutant(27, "automatic identities start at the same number each time", [
    "sockets/router",
    "this.#auto = Math.floor(core.io.random() * 2 ** 32);",
    "this.#auto = 0;",
  ]),
  mutant(28, "the identity goes over the wire", [
    "sockets/router",
    "for (let i = 1; i <= last; i++) {",
    "for (let i = 0; i <= last; i++) {",
  ]),
  mutant(29, "what goes to nobody is dropped, mandatory or not", [
    "sockets/router",
    "if (mandatory) {",
    "if (mandatory && frames.length === 0) {",
  ]),
  mutant(29, "what a full peer can't take is dropped, mandatory or not", [
    "sockets/router",
    "return !mandatory;",
    "return true;",
  ]),
  mutant(30, "a peer that left stays known", [
    "sockets/router",
    "if (pipe.address !== undefined) this.#pipes.delete(pipe.address);",
    "",
  ]),
  mutant(31, "a newcomer takes an identity over, asked or not", [
    "sockets/router",
    "if (!this.#core.options.handover) return false;",
    "",
  ]),
  mutant(31, "one whose identity was taken over stays connected", [
    "sockets/router",
    "this.#core.engine.drop(holder.peer);",
    "",
  ]),
  mutant(32, "a name that was given can't be used before the handshake", [
    "sockets/router",
    "this.#pipes.set(identity, pipe);",
    "",
  ]),
  mutant(33, "only one who connects sends a probe", [
    "sockets/core",
    'this.type !== "REP") peer.send(PROBE);',
    'this.type !== "REP" && !peer.accepted) peer.send(PROBE);',
  ]),
  mutant(34, "one message more than the mark may wait for a peer", [
    "engine/peer",
    "this.waitingMessages >= sendHighWaterMark",
    "this.waitingMessages > sendHighWaterMark",
  ]),
  mutant(34, "a peer is read on at the mark of its queue", [
    "sockets/fair_queue",
    "pipe.peer.pause();",
    "",
  ]),
];

const DEALER: readonly SocketMutant[] = [
  mutant(35, "the first peer with room gets all", [
    "sockets/round_robin",
    "if (this.#turn >= count) this.#turn = 0;\n      const pipe = this.#pipes[this.#turn++]!;",
    "const pipe = this.#pipes[i]!;",
  ]),
  mutant(35, "an endpoint counts only while it is connected", [
    "sockets/round_robin",
    "if ((!openOnly || pipe.peer.open) && !pipe.peer.full) return pipe;",
    "if (pipe.peer.open && !pipe.peer.full) return pipe;",
  ]),
  mutant(36, "a half-sent message is sent again", [
    "zmtp/output_batch",
    "if (begun >= written) {",
    "if (end > written) {",
  ]),
  mutant(36, "what waits for an endpoint goes with its connection", [
    "engine/engine",
    "if (wasOpen) this.handler.onGone(peer, false);",
    "peer.drop();\n      if (wasOpen) this.handler.onGone(peer, false);",
  ]),
  mutant(37, "all who lost a connection come back at the same moment", [
    "time/backoff",
    "const jitter = interval * random01;",
    "const jitter = 0;",
  ]),
];

const REQ_REP: readonly SocketMutant[] = [
  mutant(38, "a REQ may send twice in a row", [
    "sockets/request",
    "if (this.#waiting && !relaxed) {",
    "if (this.#waiting && relaxed === undefined) {",
  ]),
  mutant(39, "a REQ takes anybody's reply", [
    "sockets/request",
    "if (!this.#waiting || this.#answered || pipe !== this.#asked) return;",
    "if (!this.#waiting || this.#answered) return;",
  ]),
  mutant(39, "a reply without a delimiter is taken", [
    "sockets/request",
    "return delimited && at + 1 < count ? at + 1 : -1;",
    "return at + 1 < count ? at + 1 : -1;",
  ]),
  mutant(40, "a reply's number is not compared", [
    "sockets/request",
    "if (bytes[starts[0]! + i] !== this.#numberBytes[i]) return -1;",
    "",
  ]),
  mutant(41, "an envelope goes through the last empty frame", [
    "sockets/reply",
    "let body = 0;\n    while (frames[body]!.length > 0) body++;",
    "const body = frames.findLastIndex((frame) => frame.length === 0);",
  ]),
  mutant(41, "a REP may receive twice in a row", [
    "sockets/reply",
    "if (this.#asker !== undefined || this.#core.awaited) {",
    "if (this.#core.awaited) {",
  ]),
];

const GENERAL: readonly SocketMutant[] = [
  mutant(42, "lastEndpoint has the port that was asked for", [
    "sockets/core",
    "this.lastEndpoint = await this.engine.bind(endpoint);",
    "await this.engine.bind(endpoint);\n    this.lastEndpoint = endpoint;",
  ]),
  mutant(43, "close() drops what waits for one who isn't there yet", [
    "engine/engine",
    "(useless && !dialer.peer.open)) this.giveUp(dialer);",
    "!dialer.peer.open) this.giveUp(dialer);",
  ]),
  mutant(44, "null is sent as a word", [
    "sockets/message",
    "if (part === null) return NO_BYTES;",
    'if (part === null) return encoder.encode("null");',
  ]),
  mutant(45, "an act on a closed socket has the code of a timeout", [
    "sockets/core",
    'throw new SocketError("EBADF", `Cannot ${act}: the socket is closed`);',
    'throw new SocketError("EAGAIN", `Cannot ${act}: the socket is closed`);',
  ]),
  mutant(46, "nobody is told that a connection was had", [
    "engine/dialer",
    'this.#engine.tell({ type: "connect", address: this.endpoint });',
    "",
  ]),
  mutant(47, "of calls that wait, the last comes first", [
    "sockets/waiters",
    "this.#line.push(waiter);",
    "this.#line.unshift(waiter);",
  ]),
];

/** In the checklist's order. */
export const SOCKET_MUTANTS: readonly SocketMutant[] = [
  ...LIFE,
  ...ROUTER,
  ...DEALER,
  ...REQ_REP,
  ...GENERAL,
];
