/**
 * The broker of this project: `broker.ts [FRONTEND] [BACKEND]`.
 *
 * @module
 */
import { Broker } from "http://127.0.0.1:8000/mod.ts";

const [frontend = "tcp://127.0.0.1:5555", backend = "tcp://127.0.0.1:5556"] = Deno.args;
const broker = await Broker.start({ frontend, backend });
console.log(`broker for clients at ${broker.frontend}, for workers at ${broker.backend}`);
