// Rules on size: one concept a file, and functions that fit on a screen.

import { countLines, isTest, isTypeScript, type Rule } from "./source.ts";
import { functionsOf } from "./syntax.ts";

/** Past this a source file holds more than one concept. */
const MAX_SOURCE_LINES = 400;

/** Tests are lists, which read well for longer. */
const MAX_TEST_LINES = 600;

/** What fits on a screen. */
const MAX_FUNCTION_LINES = 70;

/** No file is too long. */
export const fileSizeRule: Rule = (files) =>
  files.filter(isTypeScript).flatMap(({ path, text }) => {
    const limit = isTest(path) ? MAX_TEST_LINES : MAX_SOURCE_LINES;
    const lines = countLines(text);
    return lines <= limit ? [] : [{ path, line: limit, message: `${lines} lines, over ${limit}` }];
  });

/** No function is too long. */
export const functionSizeRule: Rule = (files) =>
  files.filter(isTypeScript).flatMap((file) =>
    functionsOf(file).filter(({ lines }) => lines > MAX_FUNCTION_LINES).map(({ line, lines }) => ({
      path: file.path,
      line,
      message: `a function of ${lines} lines, over ${MAX_FUNCTION_LINES}`,
    }))
  );
