/**
 * What stands behind a command's name: numbers in order, or by name (`parallel=20`), each with its
 * bounds and what holds where it isn't given.
 *
 * @module
 */
import { shown } from "../../terminal/escape.ts";
import { UsageError } from "../../terminal/options.ts";
import { bytesText, countText, readQuantity, type Unit } from "../../terminal/quantity.ts";
import { nearest } from "../../terminal/suggest.ts";

/** One number. */
export interface Parameter {
  readonly name: string;
  readonly unit: Unit;
  readonly least: number;
  readonly most: number;
  /** What holds where it isn't given; without it, it must be. */
  readonly otherwise?: number;
}

/** How a command with these is written. */
export function formOf(command: string, parameters: readonly Parameter[]): string {
  const words = parameters.map(({ name, unit, otherwise }) =>
    otherwise === undefined ? name : `[${name}=${valueText(unit, otherwise)}]`
  );
  return [command, ...words].join(" ");
}

function valueText(unit: Unit, value: number): string {
  return unit === "seconds" ? `${value}s` : String(value);
}

/** Reads the numbers behind a command; throws a UsageError that says how it is written. */
export function readParameters(
  command: string,
  rest: string,
  parameters: readonly Parameter[],
): Readonly<Record<string, number>> {
  const form = formOf(command, parameters);
  const values = new Map<string, number>();
  const words = rest.split(/\s+/).filter((word) => word !== "");
  let place = 0;
  for (const word of words) {
    const equal = word.indexOf("=");
    const name = equal < 0 ? parameters[place++]?.name : word.slice(0, equal);
    const parameter = parameters.find((it) => it.name === name);
    if (parameter === undefined) throw new UsageError(strange(command, word, parameters, form));
    if (values.has(parameter.name)) {
      throw new UsageError(`${parameter.name} is given twice; the form is: ${form}`);
    }
    values.set(parameter.name, read(parameter, equal < 0 ? word : word.slice(equal + 1)));
  }
  for (const { name, otherwise } of parameters) {
    if (values.has(name)) continue;
    if (otherwise === undefined) {
      throw new UsageError(`${command} needs ${name}; the form is: ${form}`);
    }
    values.set(name, otherwise);
  }
  return Object.fromEntries(values);
}

function strange(
  command: string,
  word: string,
  parameters: readonly Parameter[],
  form: string,
): string {
  const [name] = word.split("=", 1) as [string];
  const meant = word.includes("=") ? nearest(name, parameters.map((it) => it.name)) : undefined;
  if (meant !== undefined) return `${command} has no ${shown(name)}; did you mean ${meant}=?`;
  return `${command} takes no ${shown(word)}; the form is: ${form}`;
}

function read({ name, unit, least, most }: Parameter, text: string): number {
  const value = readQuantity(text, unit);
  const isGood = value !== undefined && value >= least && value <= most &&
    (unit === "seconds" || Number.isInteger(value));
  if (isGood) return value;
  const kind = { seconds: "seconds", bytes: "octets", count: "a whole number" }[unit];
  const range = unit === "bytes"
    ? `${bytesText(least)} to ${bytesText(most)}`
    : `${countText(least)} to ${countText(most)}`;
  throw new UsageError(`${name} is ${kind} from ${range}, not ${shown(text)}`);
}
