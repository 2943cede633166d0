// Handlers that can be loaded as long as a file isn't there, which its URL names.

const marker = new URL(import.meta.url).searchParams.get("marker")!;

if (isThere(marker)) throw new Error("not a second time");

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Ends its thread, and sees to it that no other can be had. */
export function ends(): void {
  Deno.writeTextFileSync(marker, "");
  self.close();
}

/** Answers. */
export function hello(): string {
  return "hello";
}
