/**
 * What a handler gives for a stream, whatever it is: an async iterable, a generator or a
 * ReadableStream becomes something that gives one chunk after another and can be stopped at once.
 *
 * @module
 */
import type { Payload } from "../protocol/dialogue/payload.ts";

/** Chunks, one after another. */
export interface ChunkSource {
  /** The next chunk, or the end. Not called again before it has settled. */
  next(): Promise<IteratorResult<Payload, unknown>>;
  /**
   * Nobody wants more of them. Resolves when whatever makes them has ended: a generator runs its
   * `finally`, a stream is cancelled. Never rejects.
   */
  stop(reason: unknown): Promise<void>;
}

/** The source of a value's chunks; undefined if the value is a whole answer. */
export function chunkSourceOf(value: unknown): ChunkSource | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (value instanceof ReadableStream) return new StreamSource(value);
  if (Symbol.asyncIterator in value) {
    return new IteratorSource((value as AsyncIterable<Payload>)[Symbol.asyncIterator]());
  }
  // A generator's object gives chunks; an array, a Map or a Set is a value like any other.
  const isGenerator = Symbol.iterator in value && "next" in value;
  return isGenerator ? new IteratorSource(value as Iterator<Payload>) : undefined;
}

class IteratorSource implements ChunkSource {
  readonly #iterator: AsyncIterator<Payload> | Iterator<Payload>;

  constructor(iterator: AsyncIterator<Payload> | Iterator<Payload>) {
    this.#iterator = iterator;
  }

  async next(): Promise<IteratorResult<Payload, unknown>> {
    return await this.#iterator.next();
  }

  async stop(): Promise<void> {
    try {
      await this.#iterator.return?.();
    } catch {
      // It failed while it ended, and nobody waits for it any more.
    }
  }
}

class StreamSource implements ChunkSource {
  readonly #reader: ReadableStreamDefaultReader<Payload>;

  constructor(stream: ReadableStream<Payload>) {
    this.#reader = stream.getReader();
  }

  async next(): Promise<IteratorResult<Payload, unknown>> {
    const { done, value } = await this.#reader.read();
    return done ? { done, value } : { done, value };
  }

  async stop(reason: unknown): Promise<void> {
    try {
      await this.#reader.cancel(reason);
    } catch {
      // It failed while it ended, and nobody waits for it any more.
    }
  }
}
