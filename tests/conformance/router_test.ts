/**
 * ROUTER, lines 27 to 34 of the checklist, on a network in memory.
 *
 * @module
 */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import {
  drain,
  ELSEWHERE,
  inWorld,
  message,
  outcome,
  PLACE,
  record,
  take,
  thrown,
} from "./raw_peer.ts";

Deno.test("zmtp 27: ROUTER fair-queues and puts the identity on top", async (t) => {
  await t.step("a busy peer doesn't starve a quiet one", () =>
    inWorld(async (w) => {
      const router = w.router();
      await router.bind(PLACE);
      const busy = await w.meet("DEALER", "busy");
      const quiet = await w.meet("DEALER", "quiet");
      busy.say(message("1"), message("2"), message("3"));
      await w.settle();
      quiet.say(message("a"), message("b"));
      await w.settle();
      const got = await drain(router);
      assertEquals(got.slice(0, 4).map((it) => it.split("|")[0]).sort(), [
        "busy",
        "busy",
        "quiet",
        "quiet",
      ]);
      assertEquals(got.filter((it) => it.startsWith("busy")), [
        "busy|1",
        "busy|2",
        "busy|3",
      ]);
    }));
  await t.step("an automatic identity is 0 and 4 octets that count up", () =>
    inWorld(async (w) => {
      const router = w.router();
      await router.bind(PLACE);
      const numbers: number[] = [];
      for (let i = 0; i < 3; i++) {
        (await w.meet()).say(message("hi"));
        const [identity] = await router.receive();
        assertEquals([identity.length, identity[0]], [5, 0]);
        numbers.push(new DataView(identity.slice().buffer).getUint32(1));
      }
      assertEquals(numbers[1], (numbers[0]! + 1) >>> 0);
      assertEquals(numbers[2], (numbers[0]! + 2) >>> 0);
    }));
  await t.step("the start is random", async () => {
    const starts: string[] = [];
    for (const seed of [1, 2]) {
      await inWorld(async (w) => {
        const router = w.router();
        await router.bind(PLACE);
        (await w.meet()).say(message("hi"));
        starts.push((await router.receive())[0].join());
      }, { seed });
    }
    assertNotEquals(starts[0], starts[1]);
  });
});

Deno.test("zmtp 28: ROUTER routes by the first frame, which it takes off", async (t) => {
  await t.step("the rest goes out unchanged", () =>
    inWorld(async (w) => {
      const router = w.router();
      await router.bind(PLACE);
      const one = await w.meet("DEALER", "one");
      const two = await w.meet("DEALER", "two");
      await router.send(["two", "", "x", ""]);
      await w.settle();
      assertEquals(one.messages(), []);
      assertEquals(two.messages(), ['"" "x" ""']);
    }));
  await t.step("an identity alone is dropped silently", () =>
    inWorld(async (w) => {
      const router = w.router({ mandatory: true });
      await router.bind(PLACE);
      const one = await w.meet("DEALER", "one");
      await router.send("one");
      await router.send(["one", ""]);
      await w.settle();
      assertEquals(one.messages(), ['""']);
    }));
  await t.step(
    "a full peer doesn't block the others, and its own stay in order",
    () =>
      inWorld(async (w) => {
        const router = w.router({ mandatory: true, sendHighWaterMark: 2 });
        await router.bind(PLACE);
        const slow = await w.meet("DEALER", "slow");
        const fast = await w.meet("DEALER", "fast");
        slow.deafen();
        await router.send(["slow", "x".repeat(200_000)]);
        await w.settle();
        await router.send(["slow", 0]);
        const waiting = [1, 2].map((i) => outcome(router.send(["slow", i])));
        assertEquals(await outcome(router.send(["fast", "now"])), "done");
        await w.settle();
        assertEquals(fast.messages(), ['"now"']);
        slow.deafen(false);
        await w.settle();
        assertEquals(await Promise.all(waiting), ["done", "done"]);
        await w.settle();
        assertEquals(slow.messages().slice(1), ['"0"', '"1"', '"2"']);
      }),
  );
});

Deno.test("zmtp 29: ROUTER and peers that are unknown or full", async (t) => {
  await t.step("unknown: dropped", () =>
    inWorld(async (w) => {
      const router = w.router();
      await router.bind(PLACE);
      assertEquals(await outcome(router.send(["nobody", "x"])), "done");
    }));
  await t.step("unknown and mandatory: EHOSTUNREACH", () =>
    inWorld(async (w) => {
      const router = w.router({ mandatory: true });
      await router.bind(PLACE);
      assertEquals(await outcome(router.send(["nobody", "x"])), "EHOSTUNREACH");
    }));
  await t.step("full: dropped", () =>
    inWorld(async (w) => {
      const router = w.router({ sendHighWaterMark: 1 });
      await router.bind(PLACE);
      const one = await w.meet("DEALER", "one");
      await router.send(["one", "kept"]);
      assertEquals(await outcome(router.send(["one", "lost"])), "done");
      await w.settle();
      assertEquals(one.messages(), ['"kept"']);
    }));
  await t.step("full and mandatory: EAGAIN after sendTimeout", () =>
    inWorld(async (w) => {
      const router = w.router({
        mandatory: true,
        sendHighWaterMark: 1,
        sendTimeout: 50,
      });
      await router.bind(PLACE);
      const one = await w.meet("DEALER", "one");
      one.deafen();
      await router.send(["one", "x".repeat(140_000)]);
      let result = "waits";
      outcome(router.send(["one", "late"])).then((it) => result = it);
      await w.pass(49);
      assertEquals(result, "waits");
      await w.pass(1);
      assertEquals(result, "EAGAIN");
      router.sendTimeout = 0;
      assertEquals(await outcome(router.send(["one", "no"])), "EAGAIN");
    }));
  await t.step("full, mandatory, and it leaves: EHOSTUNREACH", () =>
    inWorld(async (w) => {
      const router = w.router({ mandatory: true, sendHighWaterMark: 1 });
      await router.bind(PLACE);
      const one = await w.meet("DEALER", "one");
      one.deafen();
      await router.send(["one", "x".repeat(140_000)]);
      const waiting = outcome(router.send(["one", "late"]));
      await w.settle();
      w.network.cut("raw");
      await w.settle();
      assertEquals(await waiting, "EHOSTUNREACH");
    }));
});

Deno.test("zmtp 30: an accepted peer that leaves takes its queue along", () =>
  inWorld(async (w) => {
    const router = w.router({ mandatory: true });
    const events = record(router, "handshake", "disconnect");
    await router.bind(PLACE);
    const first = await w.meet("DEALER", "one");
    first.deafen();
    await router.send(["one", "x".repeat(140_000)]);
    await router.send(["one", "queued"]);
    first.leave();
    await w.settle();
    assertEquals(await outcome(router.send(["one", "x"])), "EHOSTUNREACH");
    const second = await w.meet("DEALER", "one");
    await router.send(["one", "fresh"]);
    await w.settle();
    assertEquals(second.messages(), ['"fresh"']);
    assertEquals(
      events.map((it) => `${it.type} ${new TextDecoder().decode(it.identity)}`),
      ["handshake one", "disconnect one", "handshake one"],
    );
    for (const event of events) assert(event.address.startsWith("tcp://"));
    assertEquals(events[0]!.address, events[1]!.address);
  }));

Deno.test("zmtp 31: an identity in use", async (t) => {
  await t.step("handover false: the newcomer gets a plain close", () =>
    inWorld(async (w) => {
      const router = w.router();
      const events = record(router, "handshake", "disconnect");
      await router.bind(PLACE);
      const old = await w.meet("DEALER", "one");
      const late = await w.meet("DEALER", "one");
      assert(late.left);
      assertEquals(late.heard().filter((it) => it.startsWith("ERROR")), []);
      await router.send(["one", "still you"]);
      await w.settle();
      assertEquals(old.messages(), ['"still you"']);
      assertEquals(events.map((it) => it.type), ["handshake"]);
    }));
  await t.step("so that a Dealer retries and gets in later", () =>
    inWorld(async (w) => {
      const router = w.router();
      await router.bind(PLACE);
      const old = await w.meet("DEALER", "one");
      const dealer = w.dealer({ routingId: "one" });
      dealer.connect(PLACE);
      await dealer.send("hello");
      await w.pass(1000);
      assertEquals(router.readable, false);
      old.leave();
      await w.pass(1000);
      assertEquals(await drain(router), ["one|hello"]);
    }));
  await t.step("handover true: taken over, old input still delivered", () =>
    inWorld(async (w) => {
      const router = w.router({ handover: true, mandatory: true });
      await router.bind(PLACE);
      const old = await w.meet("DEALER", "one");
      old.say(message("from the old"));
      await w.settle();
      const late = await w.meet("DEALER", "one");
      assert(old.left);
      late.say(message("from the new"));
      await w.settle();
      assertEquals(await take(router, 2), [
        "one|from the old",
        "one|from the new",
      ]);
      await router.send(["one", "to the new"]);
      await w.settle();
      assertEquals(late.messages(), ['"to the new"']);
    }));
});

Deno.test("zmtp 32: ROUTER to ROUTER", async (t) => {
  await t.step("routingId names a peer before the handshake", () =>
    inWorld(async (w) => {
      const left = w.router({ routingId: "left", mandatory: true });
      const right = w.router({ routingId: "right" });
      left.connect(PLACE, { routingId: "mine" });
      await left.send(["mine", "early"]);
      await right.bind(PLACE);
      await w.pass(1000);
      assertEquals(await take(right, 1), ["left|early"]);
      await right.send(["left", "back"]);
      await w.settle();
      assertEquals(await take(left, 1), ["mine|back"]);
    }));
  await t.step("queue and identity stay while the peer is away", () =>
    inWorld(async (w) => {
      const left = w.router({ routingId: "left", mandatory: true });
      left.connect(PLACE);
      const raws = await w.listen((raw) => raw.shake("ROUTER", "right"));
      await w.pass(1000);
      w.network.refuse(PLACE);
      raws[0]!.leave();
      await w.settle();
      await left.send(["right", "kept"]);
      await w.pass(1000);
      w.network.refuse(PLACE, false);
      await w.pass(1000);
      assertEquals(raws[1]!.messages(), ['"kept"']);
    }));
  await t.step(
    "a routingId in use is refused, and its holder unharmed",
    () =>
      inWorld(async (w) => {
        const left = w.router({ mandatory: true });
        left.connect(PLACE, { routingId: "x" });
        assertEquals(
          thrown(() => left.connect(PLACE, { routingId: "x" })),
          "EINVAL",
        );
        const raws = await w.listen((raw) => raw.shake("ROUTER", ""));
        await left.send(["x", "still"]);
        await w.pass(1000);
        assertEquals(raws.map((raw) => raw.messages()), [['"still"']]);
        left.connect(ELSEWHERE, { routingId: "y" });
      }),
  );
});

Deno.test("zmtp 33: probeRouter sends one empty message on each connection", async (t) => {
  for (const type of ["router", "dealer", "req"] as const) {
    await t.step(type, () =>
      inWorld(async (w) => {
        const router = w.router();
        await router.bind(PLACE);
        const socket = w[type]({ probeRouter: true, routingId: "me" });
        socket.connect(PLACE);
        await w.settle();
        assertEquals(await drain(router), ["me|"]);
        assertEquals(w.network.cut(), 1);
        await w.pass(1000);
        assertEquals(await drain(router), ["me|"]);
      }));
  }
  await t.step("one who listens probes each that comes in, too", () =>
    inWorld(async (w) => {
      await w.router({ probeRouter: true }).bind(PLACE);
      const [one, two] = [await w.meet("DEALER"), await w.meet("REQ")];
      await w.settle();
      assertEquals([one.messages(), two.messages()], [['""'], ['""']]);
    }));
  await t.step("off unless asked for", () =>
    inWorld(async (w) => {
      const router = w.router();
      await router.bind(PLACE);
      w.dealer().connect(PLACE);
      await w.settle();
      assertEquals(router.readable, false);
    }));
});

Deno.test("zmtp 34: high-water marks per peer", async (t) => {
  await t.step("1000 each way unless told", () =>
    inWorld((w) => {
      const router = w.router();
      assertEquals(router.sendHighWaterMark, 1000);
      assertEquals(router.receiveHighWaterMark, 1000);
      return Promise.resolve();
    }));
  await t.step("counted in whole messages, each peer by itself", () =>
    inWorld(async (w) => {
      const router = w.router({ sendHighWaterMark: 2 });
      await router.bind(PLACE);
      const one = await w.meet("DEALER", "one");
      const two = await w.meet("DEALER", "two");
      // All in one turn, so that nothing goes out in between.
      const sent = [0, 1, 2].map((i) => router.send(["one", "a", "b", `${i}`]));
      await Promise.all([...sent, router.send(["two", "c"])]);
      await w.settle();
      assertEquals(one.messages(), ['"a" "b" "0"', '"a" "b" "1"']);
      assertEquals(two.messages(), ['"c"']);
    }));
  await t.step("0 is none", () =>
    inWorld(async (w) => {
      const router = w.router({ sendHighWaterMark: 0 });
      await router.bind(PLACE);
      const one = await w.meet("DEALER", "one");
      for (let i = 0; i < 3000; i++) await router.send(["one", ""]);
      await w.settle();
      assertEquals(one.messages().length, 3000);
    }));
  await t.step(
    "a full receive queue pauses its peer, and loses nothing",
    () =>
      inWorld(async (w) => {
        const router = w.router({ receiveHighWaterMark: 10 });
        await router.bind(PLACE);
        const loud = await w.meet("DEALER", "loud");
        const other = await w.meet("DEALER", "other");
        const body = "x".repeat(200);
        for (let i = 0; i < 1000; i++) loud.say(message(`${i}`, body));
        other.say(message("me too"));
        await w.settle();
        assert(w.network.connections.some((link) => link.held() > 60_000));
        const got: string[] = [];
        while (router.readable) {
          got.push(...(await take(router, 1)));
          await w.settle();
        }
        assertEquals(got.indexOf("other|me too") < 3, true);
        assertEquals(
          got.filter((it) => it.startsWith("loud")),
          Array.from({ length: 1000 }, (_, i) => `loud|${i}|${body}`),
        );
      }),
  );
  await t.step("a byte limit of our own", () =>
    inWorld(async (w) => {
      const router = w.router({ mandatory: true, sendTimeout: 0 });
      await router.bind(PLACE);
      (await w.meet("DEALER", "one")).deafen();
      const mebibyte = new Uint8Array(1024 * 1024);
      let sent = 0;
      while (await outcome(router.send(["one", mebibyte])) === "done") {
        if (++sent > 100) break;
      }
      assertEquals(sent, 64);
    }));
});
