/**
 * A world that can stand still, as a process does between SIGSTOP and SIGCONT: its timers don't ring
 * and nothing that arrives is told, while time goes on for everybody else. When it goes on, what was
 * due rings first, late, and then what has arrived is told. It can also end for good, as by SIGKILL.
 *
 * @module
 */
import type {
  Io,
  IoAddress,
  IoConnection,
  IoListener,
  IoSink,
  TimerId,
} from "../../protocol/io/io.ts";

type Deed = () => void;

/** A world that can stand still. */
export class StoppableIo implements Io {
  readonly #world: Io;
  #stopped = false;
  /** Timers that rang meanwhile, in order. */
  readonly #rung: Map<TimerId, Deed> = new Map();
  /** What arrived meanwhile, in order. */
  #arrived: Deed[] = [];
  /** Timers that stand, and whatever else the system closes when a process ends. */
  readonly #timers: Set<TimerId> = new Set();
  readonly #open: Set<{ close(): void }> = new Set();

  constructor(world: Io) {
    this.#world = world;
  }

  /** Stands still. */
  stop(): void {
    this.#stopped = true;
  }

  /** Ends without a word: its ports and connections are closed, and nothing happens in it again. */
  crash(): void {
    this.#stopped = true;
    for (const id of this.#timers) this.#world.clearTimer(id);
    for (const it of [...this.#open]) it.close();
    this.#rung.clear();
    this.#arrived = [];
  }

  /** Goes on. */
  continue(): void {
    this.#stopped = false;
    for (const [id, deed] of this.#rung) {
      this.#rung.delete(id);
      deed();
    }
    const arrived = this.#arrived;
    this.#arrived = [];
    for (const deed of arrived) deed();
  }

  now(): number {
    return this.#world.now();
  }

  random(): number {
    return this.#world.random();
  }

  setTimer(callback: () => void, milliseconds: number): TimerId {
    const id = this.#world.setTimer(() => {
      this.#timers.delete(id);
      if (this.#stopped) this.#rung.set(id, callback);
      else callback();
    }, milliseconds);
    this.#timers.add(id);
    return id;
  }

  clearTimer(id: TimerId): void {
    this.#rung.delete(id);
    this.#timers.delete(id);
    this.#world.clearTimer(id);
  }

  async listen(address: IoAddress, backlog: number): Promise<IoListener> {
    const listener = await this.#world.listen(address, backlog);
    const held = {
      address: listener.address,
      accept: () => this.#taken(listener.accept()),
      close: () => {
        this.#open.delete(held);
        listener.close();
      },
    };
    this.#open.add(held);
    return held;
  }

  connect(address: IoAddress, signal: AbortSignal): Promise<IoConnection> {
    return this.#taken(this.#world.connect(address, signal));
  }

  /** Does it now, or when the world goes on. */
  #tell(deed: Deed): void {
    if (this.#stopped) this.#arrived.push(deed);
    else deed();
  }

  #taken(coming: Promise<IoConnection>): Promise<IoConnection> {
    return new Promise((resolve, reject) => {
      coming.then(
        (connection) => this.#tell(() => resolve(this.#hold(connection))),
        (error) => this.#tell(() => reject(error)),
      );
    });
  }

  /** The same connection, whose events wait while the world stands still. */
  #hold(connection: IoConnection): IoConnection {
    let closed = false;
    const held = (sink: IoSink): IoSink => {
      const tell = (deed: Deed) => this.#tell(() => void (closed || deed()));
      return {
        onRead: (count) => tell(() => sink.onRead(count)),
        onWritten: (count) => tell(() => sink.onWritten(count)),
        onFailed: (error) => tell(() => sink.onFailed(error)),
      };
    };
    const it = {
      local: connection.local,
      remote: connection.remote,
      attach: (sink: IoSink) => connection.attach(held(sink)),
      read: (into: Uint8Array) => connection.read(into),
      write: (bytes: Uint8Array) => connection.write(bytes),
      closeWrite: () => connection.closeWrite(),
      setKeepAlive: (on: boolean) => connection.setKeepAlive(on),
      close: () => {
        closed = true;
        this.#open.delete(it);
        connection.close();
      },
    };
    this.#open.add(it);
    return it;
  }
}
