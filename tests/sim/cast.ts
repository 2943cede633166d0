/**
 * Who takes part in the simulation of a seed: clients and workers of all kinds. Every service is
 * served by somebody.
 *
 * @module
 */
import { Dice } from "./dice.ts";
import type { Character } from "./members.ts";
import { rotaClient } from "./roles/rota_client.ts";
import { rotaWorker } from "./roles/rota_worker.ts";
import type { Settings } from "./settings.ts";
import type { Role } from "./stage.ts";

/** The cast of a seed. */
export function castOf(settings: Settings): Character[] {
  const dice = new Dice(settings.seed, "cast");
  const cast: Character[] = [];
  const add = (side: "client" | "worker", kind: string, role: Role, named = false) =>
    cast.push({ name: `${kind}-${cast.length + 1}`, side, named, role });
  for (let i = dice.whole(2, 4); i > 0; i--) add("client", "rota-client", rotaClient);
  for (let i = dice.whole(2, 3); i > 0; i--) {
    const services = i === 1 ? settings.services : some(dice, settings.services);
    const slots = dice.whole(1, 4);
    add("worker", "rota-worker", rotaWorker({ dialect: "register", slots, services }), true);
  }
  const services = ["default"];
  add("worker", "rota-ready", rotaWorker({ dialect: "ready", slots: 1, services }));
  return cast;
}

/** At least one of these. */
export function some(dice: Dice, services: readonly string[]): string[] {
  const chosen = services.filter(() => dice.chance(0.5));
  return chosen.length > 0 ? chosen : [dice.pick(services)];
}
