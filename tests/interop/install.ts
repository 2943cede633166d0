/**
 * Finds Node, and installs a package for it the first time: zeromq.js, or a pseudo-terminal.
 *
 * A package goes to `.interop/` in the project, a folder that keeps itself out of git. Once it is there,
 * no network is used. This file knows nothing of sockets.
 *
 * @module
 */

/** The version of zeromq.js that the sockets are compared with. It carries libzmq 4.3.5. */
export const ZEROMQ = "zeromq@6.8.0";

/** Pseudo-terminals for Node; it brings its binary along. */
export const NODE_PTY = "@lydell/node-pty@1.1.0";

/** The oldest Node.js that the other side runs on. */
const LEAST_NODE = 20;

const CACHE = new URL("../../.interop/", import.meta.url);

/** Why the interop tests can't run, and what to do about it. */
export class MissingToolError extends Error {
  override name = "MissingToolError";
}

/** The folder that holds `node_modules/zeromq`, installed by npm unless it is there. */
export function installZeromq(): Promise<string> {
  return installPackage(ZEROMQ);
}

/** The folder that holds a package such as `name@1.2.3`, installed by npm unless it is there. */
export async function installPackage(specifier: string): Promise<string> {
  await requireNode();
  const home = new URL(`${specifier.replace("/", "+")}/`, CACHE);
  const name = specifier.slice(0, specifier.lastIndexOf("@"));
  if (await exists(new URL(`node_modules/${name}/package.json`, home))) return pathOf(home);
  await requireTool(npm(), "npm (it comes with Node.js)");
  await Deno.mkdir(CACHE, { recursive: true });
  await Deno.writeTextFile(new URL(".gitignore", CACHE), "*\n");
  // Installed aside and then renamed: an interrupted installation is never taken for a whole one.
  const aside = new URL(`installing-${name.replace("/", "+")}-${Deno.pid}/`, CACHE);
  await Deno.mkdir(aside, { recursive: true });
  try {
    await runNpmInstall(specifier, pathOf(aside));
    await Deno.remove(new URL("cache/", aside), { recursive: true });
    await Deno.rename(aside, home).catch(async (error) => {
      if (!await exists(home)) throw error; // else another process was first
    });
  } finally {
    await Deno.remove(aside, { recursive: true }).catch(() => {});
  }
  return pathOf(home);
}

/**
 * Runs npm; the package brings its binary along, so none of its scripts has to run. Its cache and
 * logs stay in the same folder, so that nothing is written outside of the project.
 */
async function runNpmInstall(specifier: string, folder: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(npm(), {
    args: [
      "install",
      "--prefix",
      folder,
      "--cache",
      `${folder}cache`,
      "--no-update-notifier",
      "--ignore-scripts",
      "--no-save",
      "--no-audit",
      "--no-fund",
      specifier,
    ],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  if (success) return;
  throw new MissingToolError(
    `Cannot run the interop tests: npm could not install ${specifier}. It needs the network once; ` +
      `ROTA_NO_INTEROP=1 leaves these tests out.\n${new TextDecoder().decode(stderr)}`,
  );
}

/** Deno runs itself for `node` where there is none, and libzmq hangs in it: the version tells. */
async function requireNode(): Promise<void> {
  const what = `Node.js ${LEAST_NODE} or newer`;
  const version = await requireTool("node", what);
  const major = Number(/^v(\d+)\./.exec(version)?.[1] ?? 0);
  if (major < LEAST_NODE) throw missing("node", what);
}

/** What a tool says its version is. */
async function requireTool(command: string, what: string): Promise<string> {
  try {
    const tool = new Deno.Command(command, { args: ["--version"], stdin: "null" });
    return new TextDecoder().decode((await tool.output()).stdout);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw missing(command, what);
  }
}

function missing(command: string, what: string): MissingToolError {
  return new MissingToolError(
    `Cannot run the interop tests: \`${command}\` is not on PATH, or too old. Install ${what}, ` +
      `or set ROTA_NO_INTEROP=1 to leave these tests out.`,
  );
}

const npm = () => Deno.build.os === "windows" ? "npm.cmd" : "npm";

const pathOf = (url: URL) => {
  const path = decodeURIComponent(url.pathname);
  return Deno.build.os === "windows" ? path.slice(1) : path;
};

async function exists(url: URL): Promise<boolean> {
  return await Deno.stat(url).then(() => true, () => false);
}
