import type { FailureGroupSummary, QueueStats } from '@waybill/client';
import { age, count, plural } from '@waybill/client/words';
import type { Paint } from '../terminal/paint.js';
import { type Column, tableOf } from '../terminal/table.js';
import type { Rates } from './rates.js';
import type { TopView } from './view.js';

export interface Screen {
  readonly width: number;
  readonly height: number;
  readonly paint: Paint;
}

/** Title, blank line and head of the queues; blank line, title and head of the groups; blank line and help. */
const FRAME = 8;
const LEAST_QUEUES = 3;

/** One screen. `lost`: no answer has come since the view. */
export function linesOfTop(view: TopView, rates: Rates, now: number, lost: boolean, screen: Screen): readonly string[] {
  const { paint, width, height } = screen;
  const room = Math.max(LEAST_QUEUES, height - FRAME - view.groups.length);
  const queues = [...view.queues].sort(byNeed);
  const left = queues.length - room;
  return [
    titleOf(view, lost, paint),
    '',
    ...(queues.length === 0
      ? ["There are no queues yet. 'waybill queue define' makes one."]
      : tableOf(queues.slice(0, room), columnsAt(view, rates, now), paint, width).split('\n')),
    ...(left > 0 ? [paint.dim(`and ${left} more, in which less goes on`)] : []),
    ...(view.groups.length > 0
      ? ['', paint.bold('Failing'), ...tableOf(view.groups, GROUPS, paint, width).split('\n')]
      : []),
  ];
}

function titleOf({ at, system, queues }: TopView, lost: boolean, paint: Paint): string {
  const clock = new Date(at).toISOString().slice(11, 19);
  if (lost) return paint.red(`Waybill does not answer. Showing data from ${clock}; trying again.`);
  const state = system.state === 'draining' ? paint.yellow('draining') : paint.green(system.state);
  const failed = sumOf(queues, 'failed');
  const parts = [
    `${count(sumOf(queues, 'pending'))} pending`,
    `${count(sumOf(queues, 'running'))} running`,
    failed > 0 ? paint.red(`${count(failed)} failed`) : '0 failed',
  ];
  return `${paint.bold('waybill')}  ${state}  ${parts.join(', ')}  ${paint.dim(`${clock} UTC`)}`;
}

const sumOf = (queues: readonly QueueStats[], state: keyof QueueStats['counts']): number =>
  queues.reduce((sum, { counts }) => sum + (counts[state] ?? 0), 0);

/** Those with tasks that nobody claims, then those that work. */
const byNeed = (one: QueueStats, other: QueueStats): number =>
  Number(other.unattended) - Number(one.unattended) || busy(other) - busy(one) || one.queue.localeCompare(other.queue);

const busy = ({ counts }: QueueStats): number => (counts.running ?? 0) + (counts.pending ?? 0);

const perSecond = (rate: number | undefined): string =>
  rate === undefined ? '-' : rate === 0 ? '0' : rate < 10 ? rate.toFixed(1) : count(rate);

const counted = (state: keyof QueueStats['counts'], drop?: number): Column<QueueStats> => ({
  title: state,
  of: ({ counts }) => count(counts[state] ?? 0),
  right: true,
  drop,
});

/** What waits and runs goes on doing so while nothing is heard. */
function columnsAt({ at }: TopView, rates: Rates, now: number): readonly Column<QueueStats>[] {
  const since = (ms: number | null): string => age(ms === null ? null : ms + now - at);
  return [
    { title: 'queue', of: ({ queue }) => queue },
    { title: 'state', of: ({ unattended }) => (unattended ? 'no worker' : 'ok'), as: 'state' },
    counted('pending'),
    counted('running'),
    counted('failed'),
    counted('succeeded', 3),
    { title: 'starts/s', of: ({ queue }) => perSecond(rates.of(queue, now)?.started), right: true, drop: 4 },
    { title: 'ends/s', of: ({ queue }) => perSecond(rates.of(queue, now)?.ended), right: true },
    { title: 'longest wait', of: ({ oldestWaitingMs }) => since(oldestWaitingMs), right: true, drop: 1 },
    { title: 'longest run', of: ({ longestRunMs }) => since(longestRunMs), right: true, drop: 2 },
  ];
}

const GROUPS: readonly Column<FailureGroupSummary>[] = [
  { title: 'group', of: ({ id }) => id, drop: 2 },
  { title: 'failed now', of: ({ failedNow }) => failedNow, right: true },
  { title: 'last seen', of: ({ lastSeenAt }) => lastSeenAt, drop: 1 },
  { title: 'queues', of: ({ queues }) => (queues.length > 2 ? plural(queues.length, 'queue') : queues.join(', ')) },
  { title: 'failure', of: ({ title }) => title?.split('\n', 1)[0] ?? '' },
];
