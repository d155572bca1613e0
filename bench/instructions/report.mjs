import { median } from '../measure/quantiles.mjs';
import { section } from '../report/about.mjs';
import { number, table } from '../report/table.mjs';

/** The whole result for people, as Markdown. */
export function report({ base, few, many, repeat, result }) {
  const rows = result.map(({ program, lives: { before = [], now } }) => [
    program,
    before.length > 0 ? each(before) : '-',
    each(now),
    before.length > 0 ? (median(now) / median(before)).toFixed(3) : '-',
  ]);
  const executed = result.filter(({ program }) => program !== 'calls');
  if (executed.length > 1) rows.push(['both, by their medians', '', '', base ? sumsOf(executed).toFixed(3) : '-']);
  const title = `Instructions (or calls of functions) of a whole life, from ${number(few)} to ${number(many)} lives in batches of 500, ${repeat} times`;
  return section(title, table(['program', base ? `at ${base}` : 'before', 'now', 'ratio'], rows));
}

const each = (counts) => counts.map((count) => number(Math.round(count))).join(', ');

function sumsOf(result) {
  const sum = (name) => result.reduce((all, { lives }) => all + median(lives[name]), 0);
  return sum('now') / sum('before');
}
