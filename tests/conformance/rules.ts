/**
 * All rules of the checklist that a conversation without socket and clock can show.
 *
 * @module
 */
import { FRAME_RULES } from "./rules_frames.ts";
import { GREETING_RULES } from "./rules_greeting.ts";
import { HANDSHAKE_RULES } from "./rules_handshake.ts";
import { HEARTBEAT_RULES } from "./rules_heartbeat.ts";
import type { Rule } from "./wire.ts";

/** In the checklist's order. */
export const RULES: readonly Rule[] = [
  ...GREETING_RULES,
  ...FRAME_RULES,
  ...HANDSHAKE_RULES,
  ...HEARTBEAT_RULES,
];
