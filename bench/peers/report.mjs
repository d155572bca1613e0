import { goalsTable } from '../report/goals.mjs';
import { about, section } from '../report/about.mjs';
import { number, table } from '../report/table.mjs';

const TITLES = {
  bulk: 'Bulk enqueue, tasks/s',
  drain: 'Drain, tasks/s',
  single: 'Single enqueues by 50 callers, tasks/s',
  latency: 'Enqueue to start at 1,000 tasks/s, ms',
  lifecycle: 'Whole lives in batches of 100, tasks/s',
  heldXmin: 'Drain while a transaction holds the xmin horizon, tasks/s',
  claim: 'Claim of one task by size of the backlog, ms',
};

/** Everything for people, as Markdown: the machine, a table per result, the counts and the goals. */
export function report({ machine, postgres, redis, counts, medians, ranges, goals, leftOut }) {
  return [
    ...about(machine, postgres),
    `Redis ${redis ?? 'none'}`,
    ...Object.keys(TITLES)
      .filter((name) => medians[name])
      .map((name) => section(TITLES[name], resultTable(medians[name], ranges[name]))),
    section('Per task, over its whole life', countsTable(counts)),
    section('Goals', goalsTable(goals)),
    ...leftOut.map(({ what, reason }) => `Left out: ${what}: ${reason}`),
  ].join('\n');
}

function resultTable(medians, ranges) {
  const [first] = Object.values(medians);
  return typeof first === 'number' ? rateTable(medians, ranges) : partsTable(medians, Object.keys(first));
}

/** `ratio`: of Waybill's, by the same clock, to this one's. */
function rateTable(medians, ranges) {
  const rows = Object.entries(medians).map(([series, value]) => [
    series,
    number(value),
    ranges[series].map(number).join(' – '),
    medians.waybill ? number(medians.waybill / value) : '',
  ]);
  return table(['system', 'median', 'range', 'Waybill : it'], rows);
}

function partsTable(medians, parts) {
  const rows = Object.entries(medians).map(([series, values]) => [
    series,
    ...parts.map((part) => number(values[part])),
  ]);
  return table(['system', ...parts], rows);
}

function countsTable(counts) {
  const columns = ['rows', 'events', 'statements', 'commits', 'walBytes'];
  const rows = Object.entries(counts).map(([name, count]) => [
    name,
    ...columns.map((column) => (count[column] === undefined ? '–' : number(count[column]))),
  ]);
  return table(['system', ...columns], rows);
}
