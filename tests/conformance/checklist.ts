/**
 * What a ZMTP 3.1 peer must do, a line for each rule. Titles of tests name their line by its number.
 *
 * @module
 */

/** The rules in a few words; the first has number 1. */
export const CHECKLIST: readonly string[] = [
  // Greeting
  "a greeting is 64 octets, sent at once; the peer's padding means nothing",
  "a greeting may come in any split, and READY with it",
  "any version from 3 on is met with 3.1, and 3.0 gets no PING",
  "an older or foreign greeting is closed at once",
  "mechanisms must be equal; as-server is sent as 0 and never judged",
  "a handshake has 30 seconds",
  // Frames
  "flags and commands that break the rules are the peer's fault",
  "LONG is taken for any size, SHORT is sent up to 255 octets",
  "sizes are checked before memory is taken, and the limit itself is legal",
  "a command may stand between the frames of a message",
  "a message is delivered whole or not at all",
  // NULL handshake
  "READY follows the greeting, or the peer's READY if it is held",
  "nothing is sent between our READY and the peer's",
  "properties: names without case, no leftovers, the last one counts",
  "REQ, DEALER and ROUTER send an identity, REP doesn't",
  "only legal pairs of socket types talk, others get an ERROR",
  "identities have up to 255 octets and don't start with 0",
  "before READY only READY or ERROR; later ones are ignored",
  "ERROR is for good, an unexpected close is not",
  "ERROR goes out for permanent faults only",
  // Heartbeat
  "PING is answered by PONG with up to 16 octets of context",
  "a ttl of up to 655 is sent, up to 65535 is taken, 0 is none",
  "any octet is life; silence after a PING or past a ttl is death",
  "heartbeats are off unless asked for, and the timeout is the interval",
  "back-pressure is never taken for death",
  "no command reaches the application",
  // ROUTER
  "ROUTER fair-queues and names its peers",
  "ROUTER routes by the first frame and never blocks other peers",
  "unknown and full peers: dropped, or an error if it is mandatory",
  "an accepted peer takes its queue along, and the application learns of it",
  "an identity in use: the newcomer is refused, or takes over",
  "ROUTER to ROUTER by identity, probe or given name",
  "a probe is one empty message on each connection",
  "high-water marks count messages, for each peer and each way",
  // DEALER
  "DEALER sends in turn, waits without room and discards nothing",
  "a connecting socket keeps its queue; nothing is sent twice",
  "a reconnect waits the interval and a random part of it",
  // REQ and REP
  "REQ sends and receives in turn and never sends again",
  "REQ takes the right peer's well-formed reply only",
  "correlate numbers requests, relaxed cancels them",
  "REP keeps the envelope and answers whoever asked",
  // General
  "messages come in order and once; endpoints in any order and number",
  "what is queued is still sent after close(), as linger says",
  "the API is that of zeromq.js 6",
  "errors carry a code",
  "events tell what happens, with address, error and identity",
  "concurrent calls wait in order up to the high-water mark",
];
