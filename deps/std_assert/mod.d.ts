/** Types of `@std/assert`, which its npm build lacks. None is looser than the original. */

/** A constructor of `T`, abstract or not, whatever its arguments. */
// deno-lint-ignore no-explicit-any
export type AnyConstructor<T = any> = abstract new (...args: any[]) => T;

/** The type of what a constructor makes. */
export type GetConstructorType<T extends AnyConstructor> = InstanceType<T>;

/** Anything that has a length and numbered elements. */
export type ArrayLikeArg<T> = ArrayLike<T> & object;

/** What every failed assertion throws. */
export class AssertionError extends Error {
  constructor(message: string, options?: ErrorOptions);
}

/** Passes when `expr` is truthy. */
export function assert(expr: unknown, msg?: string): asserts expr;

/** What counts as false: the values that `assert` refuses. */
export type Falsy = false | 0 | 0n | "" | null | undefined;

/** Passes when `expr` is falsy. */
export function assertFalse(expr: unknown, msg?: string): asserts expr is Falsy;

/** Passes when both are deeply equal. */
export function assertEquals<T>(actual: T, expected: T, msg?: string): void;

/** Passes when both are not deeply equal. */
export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void;

/** Passes when both are the same value by `Object.is`. */
export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  msg?: string,
): asserts actual is T;

/** Passes when both are not the same value by `Object.is`. */
export function assertNotStrictEquals<T>(actual: T, expected: T, msg?: string): void;

/** Passes when two numbers lie within `tolerance` (one ten-millionth unless told). */
export function assertAlmostEquals(
  actual: number,
  expected: number,
  tolerance?: number,
  msg?: string,
): void;

/** Passes when `actual` holds each element of `expected`, by deep equality. */
export function assertArrayIncludes<T>(
  actual: ArrayLikeArg<T>,
  expected: ArrayLikeArg<T>,
  msg?: string,
): void;

/** Passes when `actual` is neither null nor undefined. */
export function assertExists<T>(actual: T, msg?: string): asserts actual is NonNullable<T>;

/** Passes when `actual > expected`. */
export function assertGreater<T>(actual: T, expected: T, msg?: string): void;

/** Passes when `actual >= expected`. */
export function assertGreaterOrEqual<T>(actual: T, expected: T, msg?: string): void;

/** Passes when `actual < expected`. */
export function assertLess<T>(actual: T, expected: T, msg?: string): void;

/** Passes when `actual <= expected`. */
export function assertLessOrEqual<T>(actual: T, expected: T, msg?: string): void;

/** Passes when `actual` was made by `expectedType` or a class below it. */
export function assertInstanceOf<T extends AnyConstructor>(
  actual: unknown,
  expectedType: T,
  msg?: string,
): asserts actual is GetConstructorType<T>;

/** Passes when `actual` was not made by `unexpectedType`. */
export function assertNotInstanceOf<A, T>(
  actual: A,
  unexpectedType: AnyConstructor<T>,
  msg?: string,
): asserts actual is Exclude<A, T>;

/** Passes when `error` is an Error, of that class and with that in its message if given. */
export function assertIsError<E extends Error = Error>(
  error: unknown,
  ErrorClass?: AnyConstructor<E>,
  msgMatches?: string | RegExp,
  msg?: string,
): asserts error is E;

/** Passes when the expression matches. */
export function assertMatch(actual: string, expected: RegExp, msg?: string): void;

/** Passes when the expression does not match. */
export function assertNotMatch(actual: string, expected: RegExp, msg?: string): void;

/** Passes when each property of `expected` is found, deeply, in `actual`. */
export function assertObjectMatch(
  // deno-lint-ignore no-explicit-any
  actual: Record<PropertyKey, any>,
  expected: Record<PropertyKey, unknown>,
  msg?: string,
): void;

/** Passes when `actual` contains `expected`. */
export function assertStringIncludes(actual: string, expected: string, msg?: string): void;

/** Passes when `fn` throws; returns what it threw. */
export function assertThrows(fn: () => unknown, msg?: string): unknown;
/** Passes when `fn` throws such an Error; returns it. */
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  ErrorClass: AnyConstructor<E>,
  msgIncludes?: string,
  msg?: string,
): E;

/** Passes when the promise of `fn` rejects; resolves with the reason. */
export function assertRejects(fn: () => PromiseLike<unknown>, msg?: string): Promise<unknown>;
/** Passes when the promise of `fn` rejects with such an Error; resolves with it. */
export function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  ErrorClass: AnyConstructor<E>,
  msgIncludes?: string,
  msg?: string,
): Promise<E>;

/** Whether both are deeply equal. */
export function equal(a: unknown, b: unknown): boolean;

/** Always fails. */
export function fail(msg?: string): never;

/** Fails: the code isn't written yet. */
export function unimplemented(msg?: string): never;

/** Fails: this place must not be reached. */
export function unreachable(msg?: string): never;
