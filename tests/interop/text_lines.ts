/**
 * Bytes to lines of text, for the answers of a child process.
 *
 * @module
 */

/** A stream that takes bytes in any pieces and gives whole lines without their ends. */
export class TextLineStream implements TransformStream<Uint8Array<ArrayBuffer>, string> {
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<Uint8Array<ArrayBuffer>>;

  constructor() {
    let rest = "";
    const lines = new TransformStream<string, string>({
      transform(text, controller) {
        const parts = (rest + text).split("\n");
        rest = parts.pop() ?? "";
        for (const line of parts) controller.enqueue(line);
      },
    });
    const decoder = new TextDecoderStream();
    this.writable = decoder.writable as WritableStream<Uint8Array<ArrayBuffer>>;
    this.readable = decoder.readable.pipeThrough(lines);
  }
}
