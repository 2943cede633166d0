/**
 * Types of `@std/cli/parse-args`, which its npm build lacks. Where no option names a flag, its
 * value is `unknown` (the original says `any`), so that code written against these types also
 * passes with the original's.
 */

/** One name or several. */
type OneOrMore<T> = T | readonly T[];

/** The names in an entry of `alias`. */
type NamesIn<V> = V extends readonly (infer E)[] ? E : V;

/** A flag's name with all its aliases, whichever way round they were given. */
type Called<K, Aliases> = K extends string ?
    | K
    | (K extends keyof Aliases ? NamesIn<Aliases[K]> & string : never)
    | { [A in keyof Aliases]: K extends NamesIn<Aliases[A]> ? A & string : never }[keyof Aliases]
  : never;

/** The type of a flag's default, or `Otherwise` if it has none. */
type DefaultOf<K, Defaults, Aliases, Otherwise> = [Called<K, Aliases> & keyof Defaults] extends
  [never] ? Otherwise : Defaults[Called<K, Aliases> & keyof Defaults];

/** What `--no-x` leaves in a flag that can be negated. */
type Negation<K, Negatable> = K extends Negatable ? false : never;

/** The type of a flag named in `boolean`. */
type BooleanFlag<K, Collect, Defaults, Aliases> = K extends Collect
  ? boolean[] | DefaultOf<K, Defaults, Aliases, never>
  : boolean | DefaultOf<K, Defaults, Aliases, never>;

/** The type of a flag named in `string`. */
type StringFlag<K, Collect, Negatable, Defaults, Aliases> =
  | (K extends Collect ? string[] | DefaultOf<K, Defaults, Aliases, never>
    : string | DefaultOf<K, Defaults, Aliases, undefined>)
  | Negation<K, Negatable>;

/** What {@linkcode parseArgs} returns: named flags typed, all others unknown. */
export type Args<
  Booleans extends string = never,
  Strings extends string = never,
  Collect extends string = never,
  Negatable extends string = never,
  Defaults = unknown,
  Aliases = unknown,
  DoubleDash extends boolean = false,
> =
  & { [flag: string]: unknown }
  & {
    [K in Exclude<Called<Booleans, Aliases>, Called<Strings, Aliases>>]: BooleanFlag<
      K,
      Called<Collect, Aliases>,
      Defaults,
      Aliases
    >;
  }
  & {
    [K in Exclude<Called<Strings, Aliases>, "_">]: StringFlag<
      K,
      Called<Collect, Aliases>,
      Called<Negatable, Aliases>,
      Defaults,
      Aliases
    >;
  }
  & {
    [
      K in Exclude<
        Called<Collect, Aliases>,
        Called<Strings, Aliases> | Called<Booleans, Aliases>
      >
    ]: unknown[] | DefaultOf<K, Defaults, Aliases, undefined>;
  }
  & {
    /** What belonged to no flag. */
    _: "_" extends Strings ? string[] : (string | number)[];
  }
  & (DoubleDash extends true ? { "--": string[] } : unknown);

/** Options of {@linkcode parseArgs}. */
export interface ParseOptions<
  Booleans extends string = string,
  Strings extends string = string,
  Collect extends string = string,
  Negatable extends string = string,
  Defaults extends Record<string, unknown> = Record<string, unknown>,
  Aliases extends Record<string, string | readonly string[]> = Record<
    string,
    string | readonly string[]
  >,
  DoubleDash extends boolean = boolean,
> {
  /** Whether what follows `--` is kept apart under the key `--`. */
  "--"?: DoubleDash;
  /** Other names of flags. */
  alias?: Aliases;
  /** Flags without a value; true for all those with two dashes and no equal sign. */
  boolean?: boolean | OneOrMore<Booleans>;
  /** Values of flags that were not given. */
  default?: Defaults;
  /** Whether parsing ends at the first argument that is no flag. */
  stopEarly?: boolean;
  /** Flags whose value stays a string. */
  string?: OneOrMore<Strings>;
  /** Flags that may be given several times. */
  collect?: OneOrMore<Collect>;
  /** Flags that `--no-…` sets to false. */
  negatable?: OneOrMore<Negatable>;
  /** Called for each flag that no option names; false drops it. */
  unknown?: (arg: string, key?: string, value?: unknown) => unknown;
}

/** Reads a command line into flags and the rest. */
export function parseArgs<
  const Booleans extends string = never,
  const Strings extends string = never,
  const Collect extends string = never,
  const Negatable extends string = never,
  // deno-lint-ignore ban-types
  Defaults extends Record<string, unknown> = {},
  // deno-lint-ignore ban-types
  const Aliases extends Record<string, string | readonly string[]> = {},
  const DoubleDash extends boolean = false,
>(
  args: string[],
  options?: ParseOptions<Booleans, Strings, Collect, Negatable, Defaults, Aliases, DoubleDash>,
): Args<Booleans, Strings, Collect, Negatable, Defaults, Aliases, DoubleDash>;
