import { assertEquals } from "@std/assert";
import type { Connection } from "../zmtp/connection.ts";
import { Liveness, type Verdict } from "./liveness.ts";
import { defaultSettings, type EngineSettings } from "./settings.ts";

/** What of a connection matters to a clock. */
type Talk = Pick<Connection, "state" | "knowsPing" | "peerTtl">;
/** What happens at a time, and what is judged after it; no verdict where nobody looks. */
type Row = readonly [at: number, what: What, verdict?: Verdict];
/** `seen`, `progress`: the peer sent or took octets. `excuse`, `resumed`: we didn't listen before. */
type What = "" | "seen" | "progress" | "excuse" | "resumed" | "starved" | "sated" | "paused";

interface Scene {
  readonly settings?: Partial<EngineSettings>;
  readonly talk?: Partial<Talk>;
  readonly writing?: boolean;
  readonly paused?: boolean;
}

function born(scene: Scene): [Liveness, Talk] {
  const talk: Talk = { state: "OPEN", knowsPing: true, peerTtl: 0, ...scene.talk };
  const settings = { ...defaultSettings("DEALER"), ...scene.settings };
  return [new Liveness(settings, talk as Connection, 0), talk];
}

function happen(life: Liveness, what: What, at: number): void {
  if (what === "seen") life.seen(at);
  if (what === "progress") life.progress(at);
  if (what === "excuse") life.excuse(at);
  if (what === "resumed") life.resumed(at);
  if (what === "starved") life.starvedSince(at);
  if (what === "sated") life.sated();
  if (what === "paused") life.pausedAt(at);
}

/** Plays rows against one connection, open since time 0. */
function plays(title: string, scene: Scene, rows: readonly Row[]): void {
  Deno.test(`Liveness.judge() ${title}`, () => {
    const [life] = born(scene);
    for (const [at, what, verdict] of rows) {
      happen(life, what, at);
      if (verdict === undefined) continue;
      const got = life.judge(at, scene.writing ?? false, scene.paused ?? false);
      assertEquals(got, verdict, `at ${at} ms`);
    }
  });
}

const BEATS = { heartbeatInterval: 1000 };

plays("leaves an open connection alone when no heartbeat is asked for", {}, [[1e9, "", "fine"]]);

plays("ends a handshake after its interval", { talk: { state: "HANDSHAKE" } }, [
  [29_999, "seen", "fine"],
  [30_000, "seen", "handshake"],
]);

plays("lets a handshake take for ever when its interval is 0", {
  talk: { state: "GREETING" },
  settings: { handshakeInterval: 0 },
}, [[1e9, "", "fine"]]);

plays("gives a handshake one more second when we didn't listen", {
  talk: { state: "HANDSHAKE" },
}, [
  [60_000, "excuse", "fine"],
  [60_999, "", "fine"],
  [61_000, "", "handshake"],
]);

plays("asks each interval, and takes silence for as long as the interval as death", {
  settings: BEATS,
}, [
  [999, "", "fine"],
  [1000, "", "ping"],
  [1001, "", "fine"],
  [1500, "seen"],
  [2000, "", "ping"],
  [2999, "", "fine"],
  [3000, "", "dead"],
]);

plays("counts a longer timeout from the first PING that nothing came after", {
  settings: { ...BEATS, heartbeatTimeout: 2500 },
}, [
  [1000, "", "ping"],
  [2000, "", "ping"],
  [3000, "", "ping"],
  [3499, "", "fine"],
  [3500, "", "dead"],
]);

plays("never takes silence for death when the timeout is 0, as libzmq", {
  settings: { ...BEATS, heartbeatTimeout: 0 },
}, [
  [1000, "", "ping"],
  [1001, "", "fine"],
  [2000, "", "ping"],
  [100_000, "", "ping"],
]);

plays("never pings a peer that doesn't know heartbeats", {
  settings: BEATS,
  talk: { knowsPing: false },
}, [[1000, "", "fine"], [1e9, "", "fine"]]);

plays("holds a peer to its own time-to-live, heartbeats or not", { talk: { peerTtl: 5000 } }, [
  [4999, "", "fine"],
  [5000, "seen"],
  [9999, "", "fine"],
  [10_000, "", "dead"],
]);

plays("forgives what fell due while we didn't listen", { settings: BEATS }, [
  [1000, "", "ping"],
  [60_000, "excuse", "ping"],
  [60_999, "", "fine"],
  [61_000, "", "dead"],
]);

plays("ends a write without progress at its deadline", {
  settings: { writeDeadline: 3000 },
  writing: true,
}, [
  [2999, "", "fine"],
  [2999, "progress"],
  [5998, "", "fine"],
  [5999, "", "stuck"],
]);

plays("lets blocked output wait 30 s, and no heartbeat judges meanwhile", {
  settings: BEATS,
  talk: { peerTtl: 5000 },
  writing: true,
}, [
  [1000, "", "fine"],
  [29_999, "", "fine"],
  [30_000, "", "stuck"],
]);

plays("lets blocked output wait as long as the peer shows life, without a write deadline", {
  settings: BEATS,
  writing: true,
}, [
  [29_000, "seen", "fine"],
  [58_000, "seen", "fine"],
  [87_999, "", "fine"],
  [88_000, "", "stuck"],
]);

plays("ends blocked output at a write deadline, whatever the peer says", {
  settings: { ...BEATS, writeDeadline: 30_000 },
  writing: true,
}, [
  [29_000, "seen", "fine"],
  [30_000, "seen", "stuck"],
]);

plays("can't judge blocked output while we don't read, however long", {
  settings: BEATS,
  writing: true,
  paused: true,
}, [[100_000, "", "fine"], [200_000, "", "fine"]]);

plays("counts blocked output from when we read again", { settings: BEATS, writing: true }, [
  [100_000, "resumed", "fine"],
  [129_999, "", "fine"],
  [130_000, "", "stuck"],
]);

plays("lets blocked output wait for ever without heartbeats and without a deadline", {
  writing: true,
}, [[1e9, "", "fine"]]);

plays("says PONG each second while we don't read, and judges nobody", {
  settings: BEATS,
  talk: { peerTtl: 100 },
  paused: true,
}, [
  [500, "paused", "fine"],
  [1499, "", "fine"],
  [1500, "", "pong"],
  [2499, "", "fine"],
  [2500, "", "pong"],
]);

plays("says no PONG behind output that nobody takes", { paused: true, writing: true }, [
  [1000, "", "fine"],
  [2000, "", "fine"],
]);

plays("says no PONG to a peer that doesn't know it", {
  paused: true,
  talk: { knowsPing: false },
}, [[1000, "", "fine"]]);

plays("ends the largest unfinished message when memory stays short", {
  settings: { starvedInterval: 10_000 },
  paused: true,
}, [
  [5000, "starved"],
  [8000, "starved", "pong"],
  [14_999, "", "pong"],
  [15_000, "", "hungry"],
]);

plays("lets it live when memory came back", { settings: { starvedInterval: 10_000 } }, [
  [5000, "starved"],
  [14_000, "sated"],
  [15_000, "", "fine"],
]);

Deno.test("Liveness.next() says when to look again, Infinity for never", () => {
  const next = (scene: Scene, ...rows: Row[]) => {
    const [life] = born(scene);
    for (const [at, what, verdict] of rows) {
      happen(life, what, at);
      if (verdict) life.judge(at, false, false);
    }
    return life.next(scene.writing ?? false, scene.paused ?? false);
  };
  assertEquals(next({}), Infinity);
  assertEquals(next({ talk: { state: "GREETING" } }), 30_000);
  const endless = { handshakeInterval: 0 };
  assertEquals(next({ talk: { state: "GREETING" }, settings: endless }), Infinity);
  assertEquals(next({ settings: BEATS }), 1000);
  assertEquals(next({ settings: BEATS, talk: { knowsPing: false } }), Infinity);
  const quick = { ...BEATS, heartbeatTimeout: 300 };
  assertEquals(next({ settings: quick }, [1000, "", "ping"]), 1300);
  assertEquals(next({ settings: { ...BEATS, heartbeatTimeout: 0 } }, [1000, "", "ping"]), 2000);
  assertEquals(next({ talk: { peerTtl: 700 } }, [50, "seen"]), 750);
  assertEquals(next({ writing: true }), Infinity);
  assertEquals(next({ writing: true, settings: BEATS }), 1000);
  assertEquals(next({ writing: true, settings: { writeDeadline: 9 } }, [5, "progress"]), 14);
  assertEquals(next({ paused: true }, [200, "paused"]), 1200);
  assertEquals(next({}, [7, "starved"]), 10_007);
});

Deno.test("Liveness.next() is never behind the time at which judge() would act", () => {
  // Asked again at the time it names, a connection is never left without a verdict for good.
  const [life, talk] = born({ settings: { ...BEATS, heartbeatTimeout: 2500 } });
  const verdicts: string[] = [];
  for (let i = 0, at = life.next(false, false); i < 10 && verdicts.at(-1) !== "dead"; i++) {
    verdicts.push(life.judge(at, false, false));
    at = life.next(false, false);
  }
  assertEquals(verdicts, ["ping", "ping", "ping", "dead"]);
  assertEquals(talk.state, "OPEN");
});
