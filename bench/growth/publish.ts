/**
 * Puts growth into `docs/`: tables into PERFORMANCE.md, numbers and the picture beside.
 *
 * @module
 */
import { describeSetting, type Setting } from "../peers/machine.ts";
import { publishNumbers, publishPicture, publishSection } from "../peers/publish.ts";
import { type CostRow, costTable, drawGrowth, type GrowthRow, growthTable } from "./report.ts";
import { GROWTHS } from "./series.ts";

/** Publishes all of it. */
export async function publishGrowth(
  setting: Setting,
  rows: readonly GrowthRow[],
  costs: readonly CostRow[],
): Promise<void> {
  const tables = GROWTHS.flatMap(({ name, text, unit }) => {
    const mine = rows.filter(({ series }) => series === name);
    return mine.length === 0 ? [] : [`**${name}**: ${text}.`, growthTable(mine, unit)];
  });
  const note = `${setting.date}; ${setting.machine}; ${setting.command}`;
  await publishSection("growth", [describeSetting(setting), ...tables].join("\n\n"));
  if (costs.length > 0) await publishSection("memory", costTable(costs));
  await publishNumbers("growth", { setting, rows, costs });
  await publishPicture("growth", drawGrowth(rows, note));
}
