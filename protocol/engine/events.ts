/**
 * What happens to endpoints and peers, as data: one type for each event, told apart by its `type`.
 * Names are those of zeromq.js.
 *
 * @module
 */
import type { AuthError, ProtocolError, SocketError } from "../errors.ts";

/**
 * One event of a socket, of any type. Its `type` tells which, and so what else it has: `address` is
 * the endpoint of ours that it happened at, or where an accepted peer is; `error` is what went
 * wrong; `interval` is the time until the next attempt in ms; `identity` is the peer's, an addition
 * of ours.
 *
 * - `accept`, `accept:error`: a connection came in, or could not be taken
 * - `bind`, `bind:error`: the socket listens, or could not
 * - `connect:delay`, `connect`, `connect:retry`: a connection is being made, was made (the
 *   handshake follows), or was lost or not had
 * - `handshake`, `disconnect`: a peer has shaken hands, or an open peer's connection is gone
 * - `handshake:error:protocol`: the handshake broke the protocol, or the peer refused us
 * - `handshake:error:auth`: the peer refused us with a status of its authentication
 * - `handshake:error:other`: the handshake took too long, or the peer left inside it
 * - `close`: an endpoint is given up, by us or because the peer refused us
 * - `end`: the socket is closed and all is said
 * - `close:error`, `unknown`: zeromq.js has them; they are never told
 *
 * @example
 * ```ts
 * import { type Event, Router } from "../mod.ts";
 *
 * await using router = new Router();
 * const bound: Event[] = [];
 * router.events.on("bind", (event) => bound.push(event));
 * await router.bind("tcp://127.0.0.1:*");
 * if (bound[0]?.address !== router.lastEndpoint) throw new Error("where is it bound?");
 * ```
 */
export type Event =
  | { readonly type: "accept"; readonly address: string }
  | {
    readonly type: "accept:error";
    readonly address: string;
    readonly error: Error & { readonly code?: string };
  }
  | { readonly type: "bind"; readonly address: string }
  | { readonly type: "bind:error"; readonly address: string; readonly error: SocketError }
  | { readonly type: "connect"; readonly address: string }
  | { readonly type: "connect:delay"; readonly address: string }
  | {
    readonly type: "connect:retry";
    readonly address: string;
    readonly interval: number;
    /** Why the connection was not had; absent if it was had and lost. An addition of ours. */
    readonly error?: Error;
  }
  | { readonly type: "close"; readonly address: string }
  | { readonly type: "close:error"; readonly address: string; readonly error: Error }
  | {
    readonly type: "disconnect";
    readonly address: string;
    readonly identity: Uint8Array;
    /** Absent if it was a plain close. */
    readonly error?: Error;
  }
  | { readonly type: "handshake"; readonly address: string; readonly identity: Uint8Array }
  | {
    readonly type: "handshake:error:protocol";
    readonly address: string;
    readonly error: ProtocolError;
  }
  | { readonly type: "handshake:error:auth"; readonly address: string; readonly error: AuthError }
  | {
    readonly type: "handshake:error:other";
    readonly address: string;
    readonly error: Error & { readonly code?: string };
  }
  | { readonly type: "end"; readonly address: string }
  | { readonly type: "unknown"; readonly address: string };

/**
 * What happened, in zeromq.js's words.
 *
 * @example
 * ```ts
 * import { type EventType, Router } from "../mod.ts";
 *
 * await using router = new Router();
 * const seen: EventType[] = [];
 * for (const type of ["accept", "handshake", "disconnect"] as const) {
 *   router.events.on(type, (event) => seen.push(event.type));
 * }
 * ```
 */
export type EventType = Event["type"];

/**
 * The event of one type.
 *
 * @example
 * ```ts
 * import { type EventOfType, Router } from "../mod.ts";
 *
 * await using router = new Router();
 * const failed: EventOfType<"bind:error">[] = [];
 * router.events.on("bind:error", (event) => failed.push(event));
 * ```
 */
export type EventOfType<T extends EventType = EventType> = Extract<Event, { readonly type: T }>;
