import type { QueueWaits, TaskWait } from '@waybill/client';
import { age, onOneLine, plural, shortened, WAIT_CAUSES, waitedFor } from '@waybill/client/words';

const WIDTH = 30;
const MOST = 40;

/** A bar for each interval, where it lies in the whole wait. */
export function linesOfWait(wait: TaskWait): string[] {
  const { waitedMs, intervals, sums, from, until } = wait;
  if (from === null || until === null || intervals.length === 0) return ['It has not waited.'];
  const rows = intervals.slice(0, MOST).map((interval) => row(interval, Date.parse(from), Date.parse(until)));
  const left = intervals.length - rows.length;
  return [
    `waited ${age(waitedMs)}, from ${from} to ${until}`,
    ...rows,
    ...(left > 0 ? [`and ${left} more`] : []),
    ...(intervals.length > sums.length ? ['', ...linesOfSums(sums, waitedMs)] : []),
  ];
}

/** The share of each cause in what all tasks of a queue waited. */
export function linesOfWaits({ tasks, waitedMs, sums, from, until, unreadable }: QueueWaits): string[] {
  const left = unreadable > 0 ? [`and ${plural(unreadable, 'task')} that cannot be read`] : [];
  if (tasks === 0) return [`No task waited from ${from} to ${until}.`, ...left];
  return [
    `${plural(tasks, 'task')} waited ${age(waitedMs)} from ${from} to ${until}`,
    ...linesOfSums(sums, waitedMs),
    ...left,
  ];
}

/** How long each cause was, with its share of the whole. */
export function linesOfSums(sums: TaskWait['sums'], whole: number): string[] {
  return sums.map(({ because, ms }) => {
    const share = Math.round((100 * ms) / whole);
    const full = Math.round((WIDTH * ms) / whole);
    return `${age(ms).padStart(12)} ${`${share} %`.padStart(5)}  ${bar(0, full)}  ${WAIT_CAUSES[because]}`;
  });
}

function row(interval: TaskWait['intervals'][number], begin: number, end: number): string {
  const at = (time: string): number => Math.floor((WIDTH * (Date.parse(time) - begin)) / (end - begin));
  const [from, until] = [Math.min(at(interval.from), WIDTH - 1), at(interval.until)];
  const times = `${clock(interval.from)} – ${clock(interval.until)}`;
  const what = shortened(onOneLine(waitedFor(interval)), 90);
  return `${age(interval.ms).padStart(12)}  ${bar(from, Math.max(until, from + 1))}  ${times}  ${what}`;
}

const bar = (from: number, until: number): string =>
  '░'.repeat(from) + '█'.repeat(until - from) + '░'.repeat(WIDTH - until);

const clock = (time: string): string => time.slice(11, 19);
