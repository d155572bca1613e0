import { rounded } from '../measure/quantiles.mjs';

/** A Markdown table. The first column is text, and the others are aligned right. */
export function table(head, rows) {
  const all = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(3, ...all.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, at) => pad(cell, widths[at], at)).join(' | ')} |`;
  const rule = widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  const [titles, ...body] = all;
  return [line(titles), `| ${rule.join(' | ')} |`, ...body.map(line)].join('\n');
}

const pad = (cell, width, at) => (at === 0 ? cell.padEnd(width) : cell.padStart(width));

/** A number in the form for a table. */
export const number = (value) => rounded(value).toLocaleString('en-US', { maximumSignificantDigits: 9 });

/** The same for a number that may not have been measured. */
export const orDash = (value) => (value === null || value === undefined ? '–' : number(value));
