/**
 * ZeroMQ sockets for Deno in pure TypeScript: ROUTER, DEALER, REQ and REP over TCP, byte for byte
 * ZMTP 3.1, with the API of zeromq.js 6.
 *
 * @example
 * ```ts
 * import { Dealer, Router } from "./mod.ts";
 *
 * await using router = new Router();
 * await router.bind("tcp://127.0.0.1:*");
 * await using dealer = new Dealer();
 * dealer.connect(router.lastEndpoint!);
 * await dealer.send("hello");
 * const [, text] = await router.receive();
 * if (`${text}` !== "hello") throw new Error("lost");
 * ```
 *
 * @module
 */
export { type Addressed, Router } from "./sockets/router.ts";
export { Dealer } from "./sockets/dealer.ts";
export { Request } from "./sockets/request.ts";
export { Reply } from "./sockets/reply.ts";
export { Socket } from "./sockets/socket.ts";
export { OptionAccessors } from "./sockets/option_accessors.ts";
export { Frame, type FrameEncoding, type Received } from "./sockets/frame.ts";
export { type EventListener, Observer } from "./sockets/events.ts";
export type { Message, MessageLike, Outgoing } from "./sockets/message.ts";
export type { RequestOptions, RouterOptions, SocketOptions } from "./sockets/options.ts";
export type { Event, EventOfType, EventType } from "./engine/events.ts";
export type { SocketType } from "./zmtp/socket_type.ts";
export type { Io, IoAddress, IoConnection, IoListener, IoSink, TimerId } from "./io/io.ts";
export {
  ArgumentError,
  AuthError,
  type Fault,
  FAULTS,
  ProtocolError,
  type ProtocolErrorCode,
  SocketError,
  type SocketErrorCode,
} from "./errors.ts";
