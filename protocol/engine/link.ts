/**
 * One TCP connection: pumps octets between the door and the conversation, writes one batch at a
 * time, and judges by the clock whether the other side is alive.
 *
 * @module
 */
import { ProtocolError, SocketError } from "../errors.ts";
import type { IoConnection, IoSink } from "../io/io.ts";
import type { Due } from "../time/deadlines.ts";
import { Connection, type ConnectionEvents, type Ignored } from "../zmtp/connection.ts";
import { InputBuffer, READ_BYTES } from "../zmtp/input_buffer.ts";
import { PING_TTL_TENTHS } from "../zmtp/limits.ts";
import type { MessageReader } from "../zmtp/message_reader.ts";
import type { OutputBatch } from "../zmtp/output_batch.ts";
import type { Engine } from "./engine.ts";
import { Liveness, type Verdict } from "./liveness.ts";
import type { Peer } from "./peer.ts";

/** Why a connection isn't read: by the application, by its own unread answers, for lack of memory. */
const BY_APPLICATION = 1;
const BY_ANSWERS = 2;
const BY_MEMORY = 4;

/** Answers to PINGs that may wait unread before we stop reading the one who asks. */
export const ANSWER_BYTES = 16 * 1024;
/** How long we wait for the other side to close once we have sent all we had. */
const FAREWELL_MS = 1000;

/** Verdicts that end an open connection, and what is told of it. */
const ENDINGS: { readonly [V in Verdict]?: string } = {
  dead: "the peer gave no sign of life",
  hungry: "its message didn't end while memory was short",
  stuck: "the peer takes no more output",
};

/** A connection of a peer. */
export class Link implements IoSink, ConnectionEvents, Due {
  due = 0;
  place = -1;
  readonly peer: Peer;
  readonly connection: Connection;
  readonly input: InputBuffer;
  readonly liveness: Liveness;
  closed = false;
  /** Everything was said that will be said: what still comes is thrown away. */
  ending = false;
  readonly #engine: Engine;
  readonly #io: IoConnection;
  readonly #early: Uint8Array[] = [];
  #writing: OutputBatch | undefined;
  #written = 0;
  #earlyWritten = -1;
  #reading = false;
  #room = 0;
  #paused = 0;
  #answerBytes = 0;
  #refused = false;
  /** All is sent, and the other side was told that no more will come. */
  #parted = false;

  constructor(engine: Engine, peer: Peer, io: IoConnection) {
    this.#engine = engine;
    this.#io = io;
    this.peer = peer;
    this.input = new InputBuffer(engine.budget);
    this.connection = new Connection(engine.talk, engine.newMechanism(), this);
    this.liveness = new Liveness(
      engine.settings,
      this.connection,
      engine.now(),
    );
  }

  /** Where the other side is. */
  get remote(): string {
    return this.#engine.format(this.#io.remote);
  }

  get open(): boolean {
    return this.connection.state === "OPEN" && !this.ending;
  }

  get writing(): boolean {
    return this.#writing !== undefined || this.#earlyWritten >= 0;
  }

  get paused(): boolean {
    return this.#paused !== 0;
  }

  /** Octets that it holds for an unfinished message. */
  get held(): number {
    return this.connection.needed > 0 ? this.input.bytes.length : 0;
  }

  /** How long a buffer it needs to read on; 0 if it has it. */
  get growth(): number {
    return this.input.waiting > 0 ? this.input.growth(this.connection.needed) : 0;
  }

  start(): void {
    this.#io.attach(this);
    const { tcpKeepalive } = this.#engine.settings;
    if (tcpKeepalive >= 0) this.#io.setKeepAlive(tcpKeepalive === 1);
    this.connection.start();
    this.flush();
    this.#read();
    this.arm();
  }

  /** Sets the next time to look at the clock, if it is sooner than the one set. */
  arm(): void {
    const { liveness } = this;
    const at = this.ending ? liveness.lastCall() : liveness.next(this.writing, this.paused);
    if (at < Infinity && (this.place < 0 || at < this.due)) {
      this.#engine.deadlines.set(this, at);
    }
    this.#engine.armTimer();
  }

  /** The time set has come. `late` if the clock's tick itself came late: then nobody is judged. */
  onDue(now: number, late: boolean): void {
    if (this.closed) return;
    if (late) this.liveness.excuse(now);
    if (this.ending) {
      return this.#parted || now >= this.liveness.lastCall() ? this.close() : this.arm();
    }
    const verdict = this.liveness.judge(now, this.writing, this.paused);
    if (verdict === "handshake" || verdict in ENDINGS) this.#engine.count(verdict);
    if (verdict === "handshake") {
      return this.#fail(new SocketError("ETIMEDOUT", "the handshake took too long"));
    }
    const ending = ENDINGS[verdict];
    if (ending !== undefined) return this.close(new Error(ending));
    if (verdict === "ping") {
      const { heartbeatTimeToLive } = this.#engine.settings;
      this.connection.ping(Math.min(PING_TTL_TENTHS, Math.floor(heartbeatTimeToLive / 100)));
    } else if (verdict === "pong") {
      this.connection.pong();
    }
    this.arm();
  }

  pause(): void {
    this.#pause(BY_APPLICATION);
  }

  resume(): void {
    this.#unpause(BY_APPLICATION);
  }

  /** What it doesn't take fills the memory of all: it goes. */
  drown(): void {
    this.#engine.count("drowned");
    this.close(new Error("its output filled the memory of all peers"));
  }

  /** There may be memory again. */
  fed(): void {
    this.#unpause(BY_MEMORY);
  }

  #pause(reason: number): void {
    if (this.#paused === 0) this.liveness.pausedAt(this.#engine.now());
    this.#paused |= reason;
    this.arm();
  }

  #unpause(reason: number): void {
    if ((this.#paused & reason) === 0) return;
    this.#paused &= ~reason;
    if (this.#paused === 0) {
      this.liveness.resumed(this.#engine.now());
      this.#engine.later(this);
    }
  }

  /** Goes on with what was left unread; called from the engine's turn, never from a callback. */
  proceed(): void {
    if (this.closed || this.#reading) return;
    if (this.ending) this.#read();
    else if (this.#paused === 0) this.#process();
  }

  flush(): void {
    if (this.closed || this.writing || this.#parted) return;
    const early = this.#early.shift();
    if (early !== undefined) {
      this.#earlyWritten = 0;
      this.#early.unshift(early);
      this.liveness.progress(this.#engine.now());
      this.#io.write(early);
      return;
    }
    if (this.connection.state === "OPEN") {
      const batch = this.peer.takeBatch();
      if (batch !== undefined) {
        this.#writing = batch;
        this.#written = 0;
        this.liveness.progress(this.#engine.now());
        if (this.#engine.settings.writeDeadline > 0) this.arm();
        this.#io.write(whole(batch));
        return;
      }
    }
    if (this.ending) this.#sayFarewell();
  }

  /** Closes once all that waits has been sent. */
  end(): void {
    if (this.closed || this.ending) return;
    this.ending = true;
    // Also one that was paused is listened to now, for signs of life and its end.
    this.#engine.later(this);
    this.flush();
  }

  onWritten(count: number): void {
    if (this.closed) return;
    this.liveness.progress(this.#engine.now());
    if (this.#earlyWritten >= 0) {
      const early = this.#early[0]!;
      this.#earlyWritten += count;
      if (this.#earlyWritten < early.length) {
        return this.#io.write(early.subarray(this.#earlyWritten));
      }
      this.#early.shift();
      this.#earlyWritten = -1;
      return this.flush();
    }
    const batch = this.#writing!;
    this.#written += count;
    if (this.#written < batch.length) {
      return this.#io.write(batch.bytes.subarray(this.#written, batch.length));
    }
    this.#writing = undefined;
    this.#answerBytes = 0;
    batch.release();
    this.#unpause(BY_ANSWERS);
    this.peer.written();
    this.#engine.freed();
    this.flush();
  }

  onRead(count: number): void {
    this.#reading = false;
    if (this.closed) return;
    if (count === 0) {
      this.#noteCut(new SocketError("ECONNRESET", "the peer left inside the handshake"));
      return this.close();
    }
    this.liveness.seen(this.#engine.now());
    if (this.ending) return this.#read();
    this.input.filled(count, this.#room);
    // A read that was under way when the pause began: what it brought waits too.
    if (this.#paused === 0) this.#process();
    else this.input.trim();
  }

  onFailed(error: Error): void {
    this.#reading = false;
    this.#noteCut(error);
    this.close(error);
  }

  /** A peer that leaves inside a message or inside the handshake is counted; nothing of it is kept. */
  #noteCut(error: Error): void {
    if (this.ending) return;
    if (this.input.waiting > 0) this.#engine.count("cut-short");
    if (this.connection.state !== "OPEN") this.#engine.report(this, error);
  }

  onHandshakeBytes(bytes: Uint8Array): void {
    this.#early.push(bytes);
    this.flush();
  }

  onCommandBytes(bytes: Uint8Array): void {
    this.peer.batch().raw(bytes, 0, bytes.length);
    this.#answerBytes += bytes.length;
    if (this.#answerBytes > ANSWER_BYTES) this.#pause(BY_ANSWERS);
    if (this.connection.peerTtl > 0) this.arm();
  }

  onOpen(): void {
    this.liveness.opened(this.#engine.now());
    this.#engine.linkOpened(this);
    if (!this.closed) {
      this.#engine.markDirty(this.peer);
      this.arm();
    }
  }

  onMessage(message: MessageReader): boolean {
    this.liveness.sated();
    this.#engine.handler.onMessage(this.peer, message);
    return this.#paused === 0;
  }

  onIgnored(what: Ignored): void {
    this.#engine.count(what);
  }

  /** The layer above won't have this peer: it closes as if it had never been open. */
  refuse(): void {
    this.#refused = true;
    this.close();
  }

  /** Ends the connection now. What had not been sent stays with a connecting peer. */
  close(error?: Error): void {
    if (this.closed) return;
    this.closed = true;
    const wasOpen = this.connection.state === "OPEN" && !this.#refused;
    const wasEnding = this.ending;
    this.connection.close();
    this.#io.close();
    this.input.release();
    this.#engine.deadlines.clear(this);
    this.peer.salvage(this.#writing, this.#written);
    this.#writing = undefined;
    this.#engine.linkClosed(this, wasOpen, wasEnding, error);
  }

  #sayFarewell(): void {
    this.#parted = true;
    this.#io.closeWrite();
    this.#engine.deadlines.set(this, this.#engine.now() + FAREWELL_MS);
    this.#engine.armTimer();
    this.#read();
  }

  #process(): void {
    try {
      this.connection.feed(this.input);
    } catch (error) {
      if (error instanceof ProtocolError) {
        this.#engine.count(error.fault);
        return this.#fail(error);
      }
      // A fault of ours or of the layer above costs this peer only.
      return this.close(error instanceof Error ? error : new Error(String(error)));
    }
    if (!this.closed) this.#read();
  }

  #fail(error: Error): void {
    if (this.connection.state !== "OPEN") this.#engine.report(this, error);
    this.liveness.failed = error;
    if (this.#early.length > 0) {
      // An ERROR is on its way: let it arrive before the close.
      this.connection.close();
      return this.end();
    }
    this.close(error);
  }

  #read(): void {
    if (this.closed || this.#reading) return;
    if (this.ending) {
      this.input.head = this.input.tail = 0;
    } else if (this.#paused !== 0) {
      return this.input.trim();
    }
    const needed = this.connection.needed;
    const growth = this.growth;
    if (growth > 0 && !this.#engine.budget.allows(growth)) {
      this.#pause(BY_MEMORY);
      return this.#engine.starve(this);
    }
    if (!this.#engine.budget.allows(READ_BYTES)) this.input.save();
    const room = this.input.room(needed);
    this.#reading = true;
    this.#room = room.length;
    this.#io.read(room);
  }
}

function whole(batch: OutputBatch): Uint8Array {
  return batch.bytes.subarray(0, batch.length);
}
