import { goalsTable } from '../report/goals.mjs';
import { about, section } from '../report/about.mjs';
import { number, orDash, table } from '../report/table.mjs';
import { scaleSection } from '../scale/report.mjs';
import { COUNTED_DISK_TASKS } from './counts.mjs';
import { pairedRatio } from './result.mjs';

const TITLES = {
  bulk: 'Bulk enqueue, tasks/s',
  drain: 'Drain, tasks/s',
  single: 'Single enqueues by 50 callers, tasks/s',
  latency: 'Enqueue to start at 1,000 tasks/s, ms',
  lifecycle: 'Whole lives in batches of 100, tasks/s',
  heldXmin: 'Drain while a transaction holds the xmin horizon, tasks/s',
  claim: 'Claim of one task by size of the backlog, ms',
};

/**
 * The whole result for people, as Markdown: the machine, a table per result, the cost of a life, what is kept of it,
 * and the goals.
 */
export function report({ machine, postgres, redis, goals, leftOut, ...found }) {
  return [
    ...about(machine, postgres),
    `Redis ${redis ?? 'none'}`,
    ...resultSections(found),
    ...(found.scale ? [scaleSection(found.scale)] : []),
    ...systemSections(found),
    section('Goals', goalsTable(goals)),
    ...leftOut.map(({ what, reason }) => `Left out: ${what}: ${reason}`),
  ].join('\n');
}

const resultSections = (found) =>
  Object.keys(TITLES)
    .filter((name) => found.medians[name])
    .map((name) => section(TITLES[name], resultTable(name, found)));

function systemSections({ counts, kept }) {
  const lines = Object.entries(kept).map((entry) => `- ${entry.join(': ')}`);
  return [
    ...(Object.keys(counts).length > 0 ? [section('The whole life of a task', countsTable(counts))] : []),
    ...(lines.length > 0 ? [section('What is kept of a task that succeeded', lines.join('\n'))] : []),
  ];
}

function resultTable(name, { medians, ranges, samples, costs }) {
  const [first] = Object.values(medians[name]);
  if (typeof first !== 'number') return partsTable(medians[name], Object.keys(first));
  return rateTable(medians[name], ranges[name], samples[name], costs[name]);
}

/**
 * `Waybill : it`: by the same clock, the median of the rounds' ratios. Costs are microseconds of processor time and
 * bytes per task.
 */
function rateTable(medians, ranges, samples, costs) {
  const rows = Object.entries(medians).map(([series, value]) => [
    series,
    number(value),
    ranges[series].map(number).join(' – '),
    orDash(pairedRatio(samples.waybill, samples[series])),
    ...['node', 'server', 'wal'].map((part) => orDash(costs[series]?.[part])),
  ]);
  return table(['system', 'median', 'range', 'Waybill : it', 'Node µs', 'server µs', 'WAL bytes'], rows);
}

function partsTable(medians, parts) {
  const rows = Object.entries(medians).map(([series, values]) => [
    series,
    ...parts.map((part) => number(values[part])),
  ]);
  return table(['system', ...parts], rows);
}

function countsTable(counts) {
  const columns = ['rows', 'events', 'statements', 'commits', 'walBytes', 'diskMB'];
  const rows = Object.entries(counts).map(([name, count]) => [name, ...columns.map((column) => orDash(count[column]))]);
  const disk = `MB for ${number(COUNTED_DISK_TASKS)}`;
  return table(['system', 'rows written', 'events', 'statements', 'commits', 'WAL bytes', disk], rows);
}
