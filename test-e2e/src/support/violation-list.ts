import { inOneLine } from './markdown-table.js';

/** The last lines of a report in Markdown: what the run has violated. */
export function violationList(violations: readonly string[]): readonly string[] {
  const items = violations.map((text) => `- ${inOneLine(text)}`);
  return ['## Violations', '', ...(items.length === 0 ? ['None.'] : items), ''];
}
