/**
 * A worker as the broker knows it, whatever its dialect, and the connection that it came by. Plain
 * records; the core changes them.
 *
 * @module
 */
import type { Due } from "../../protocol/time/deadlines.ts";
import type { Outlet } from "./outlet.ts";
import { emptySeat, type Seat } from "./ring.ts";
import { type RowList, rowList } from "./jobs.ts";
import type { Service } from "./services.ts";

/** How a worker speaks: READY or REGISTER by its first word, REQ and REP by its socket type. */
export type Dialect = "READY" | "REGISTER" | "REQ" | "REP";

/**
 * Where a worker stands: in the table; out of it by DEREGISTER or EXIT; expired by silence, to come
 * back with a PING; gone with its connection.
 */
export type WorkerState = "in" | "out" | "expired" | "gone";

/** A worker's place in the ring of one service. */
export interface WorkerSeat extends Seat {
  readonly worker: Worker;
  readonly service: Service;
}

/** A check that jobs which a worker forgot end without a result. */
export interface ForgottenCheck extends Due {
  readonly what: "forgotten";
  readonly worker: Worker;
}

/** One connection to the backend; several workers may come by it, told apart by their envelopes. */
export class WorkerConnection {
  readonly outlet: Outlet;
  /** The peer's socket type. */
  readonly type: string;
  readonly identity: Uint8Array;
  /** Its workers by envelope. */
  readonly workers: Map<string, Worker> = new Map();
  /** The worker that spoke last: nearly always the one that speaks next. */
  latest: Worker | undefined;
  open = true;

  constructor(outlet: Outlet, type: string, identity: Uint8Array) {
    this.outlet = outlet;
    this.type = type;
    this.identity = identity;
  }
}

/** One worker. Invariant: 0 <= free <= capacity. */
export class Worker implements Due {
  readonly what = "worker";
  due = 0;
  place = -1;
  readonly index: number;
  readonly connection: WorkerConnection;
  /** What goes in front of all that is sent to it, as it is on the wire. */
  envelope: Uint8Array;
  readonly envelopeKey: string;
  /** Its own name for itself, or that of its connection. */
  address: Uint8Array;
  dialect: Dialect;
  state: WorkerState = "in";
  capacity = 1;
  free = 1;
  /** Jobs at this worker, in the order in which they were handed out. */
  readonly running: RowList = rowList();
  /** Slots that jobs held when REGISTER overwrote them: their INCREMENTs are still to come. */
  unsettled = 0;
  /** Attempts that were given up, whose late answers a READY worker still owes. */
  owed = 0;
  seats: WorkerSeat[] = [];
  lastSeen = 0;
  /** Whether we didn't read its connection when its silence was last looked at. */
  unread = false;
  /** Whether it has ever sent a PING. */
  pings = false;
  /** Whether it pings while it works. */
  pingsWorking = false;
  /** Whether it speaks the native dialogue. */
  native = false;
  /** Whether its output is above the mark. */
  blocked = false;
  /** Whether its connection is to be closed when its job is done. */
  leaving = false;
  readonly forgotten: ForgottenCheck = { what: "forgotten", worker: this, due: 0, place: -1 };

  constructor(
    index: number,
    connection: WorkerConnection,
    envelope: Uint8Array,
    envelopeKey: string,
    dialect: Dialect,
  ) {
    this.index = index;
    this.connection = connection;
    this.envelope = envelope;
    this.envelopeKey = envelopeKey;
    this.dialect = dialect;
    this.address = connection.identity;
  }

  /** Whether it may be given a job: a free slot, not too many answers due, room in its output. */
  get eligible(): boolean {
    return this.state === "in" && this.free > 0 && !this.blocked &&
      this.running.length < 2 * this.capacity;
  }

  /** Whether it has answers due, though it said of every slot that it is free. */
  get forgets(): boolean {
    return this.running.length > 0 && this.free === this.capacity && this.unsettled === 0;
  }

  /** Whether its slot is freed by its result alone. */
  get oneSlot(): boolean {
    return this.dialect !== "REGISTER";
  }

  /** Whether it should be heard of again within the expiry time. */
  get mayExpire(): boolean {
    if (this.state !== "in") return false;
    if (this.pingsWorking) return true;
    const idle = this.running.length === 0 && this.owed === 0;
    if (this.dialect === "READY") return idle;
    return this.dialect === "REGISTER" && this.pings && idle;
  }
}

/** A seat for a worker in the ring of a service. */
export function seatOf(worker: Worker, service: Service): WorkerSeat {
  return { ...emptySeat(), worker, service };
}
