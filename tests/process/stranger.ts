/**
 * A stranger to Rota: a folder of their own, with an empty cache, no configuration and no import
 * map, who types what a document says.
 *
 * Documents name the port 8000, where `examples/serve.ts` serves modules unless told otherwise. Here
 * it is told to take a free one, and stands in the stranger's world as the proxy of all HTTP: so the
 * text of documents and programs stays as it is.
 *
 * @module
 */
import { Program } from "./program.ts";

const ROOT = new URL("../../", import.meta.url);

/** The stranger. */
export class Stranger implements AsyncDisposable {
  readonly #home: string;
  readonly #server: Program;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(home: string, server: Program, env: Readonly<Record<string, string>>) {
    this.#home = home;
    this.#server = server;
    this.#env = env;
  }

  /** Starts the web server by the command that a document tells, and makes the folders. */
  static async arrive(serve: string): Promise<Stranger> {
    const home = await Deno.makeTempDir();
    for (const folder of ["work", "bin"]) await Deno.mkdir(`${home}/${folder}`);
    await Deno.symlink(Deno.execPath(), `${home}/bin/deno`);
    const env = {
      PATH: `${home}/bin:/usr/bin:/bin`,
      HOME: home,
      DENO_DIR: `${home}/cache`,
      NO_COLOR: "1",
      DENO_NO_UPDATE_CHECK: "1",
    };
    const server = Program.start("sh", ["-c", `exec ${serve} 0`], { cwd: ROOT, env });
    const line = await server.stdout.until(/^Rota is at /);
    const host = /^Rota is at http:\/\/(127\.0\.0\.1:\d+)\/mod\.ts$/.exec(line)?.[1];
    if (host === undefined) throw new Error(`where is it? ${line}`);
    return new Stranger(home, server, { ...env, HTTP_PROXY: `http://${host}` });
  }

  /** Writes a file into the folder. */
  async write(name: string, text: string): Promise<void> {
    await Deno.writeTextFile(`${this.#home}/work/${name}`, text);
  }

  /** Copies a folder's files into the folder. */
  async copy(folder: URL): Promise<void> {
    for await (const { name } of Deno.readDir(folder)) {
      await this.write(name, await Deno.readTextFile(new URL(name, folder)));
    }
  }

  /** Types a command into a shell, with more arguments behind it. */
  type(command: string, ...more: string[]): Program {
    const args = ["-c", `exec ${command} "$@"`, "sh", ...more];
    return Program.start("sh", args, { cwd: `${this.#home}/work`, env: this.#env });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    await Deno.remove(this.#home, { recursive: true });
  }
}
