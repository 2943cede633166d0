/**
 * Drawings in SVG: elements as text, with colours that do on light and on dark pages.
 *
 * @module
 */

/** Colours that can be told apart, also in grey and by most who see few colours. */
export const COLOURS: readonly string[] = [
  "#0072b2",
  "#999999",
  "#c8c8c8",
  "#e69f00",
  "#009e73",
  "#cc79a7",
];

/** Axes, lines and small print. */
export const INK = "#808080";

type Attributes = Readonly<Record<string, string | number>>;

/** An element with what stands in it. */
export function element(name: string, attributes: Attributes, ...inside: string[]): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(value)}"`);
  const open = `<${name}${written.join("")}`;
  return inside.length === 0 ? `${open}/>` : `${open}>${inside.join("")}</${name}>`;
}

/** Words at a place. */
export function words(x: number, y: number, text: string, more: Attributes = {}): string {
  return element("text", { x: round(x), y: round(y), ...more }, escape(text));
}

/** A straight line. */
export function stroke(x1: number, y1: number, x2: number, y2: number, more: Attributes = {}) {
  const ends = { x1: round(x1), y1: round(y1), x2: round(x2), y2: round(y2) };
  return element("line", { ...ends, stroke: INK, ...more });
}

/** A whole drawing. */
export function drawing(width: number, height: number, ...inside: string[]): string {
  const attributes = {
    xmlns: "http://www.w3.org/2000/svg",
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    "font-family": "system-ui, sans-serif",
    "font-size": 12,
    fill: INK,
  };
  return `${element("svg", attributes, "\n", inside.join("\n"), "\n")}\n`;
}

/** A number short enough for a drawing. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(text: string | number): string {
  return String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
