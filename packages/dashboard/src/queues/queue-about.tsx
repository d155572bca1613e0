import type { QueueStatsDetails, QueueView } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { Card } from '../ui/card.js';
import { Facts } from '../ui/facts.js';
import { plural } from '../ui/numbers.js';
import { At } from '../ui/time.js';
import { duration } from '../ui/times.js';
import { useQueueStats } from './queue.queries.js';

/** Who stopped what, and how long tasks wait and run. */
export function QueueAbout({ view }: { view: QueueView }) {
  const stats = useQueueStats(view.name).data ?? null;
  return (
    <Card title="About">
      <Facts facts={[...stopsOf(view), ...figuresOf(view, stats)]} />
    </Card>
  );
}

const stopsOf = ({ pause, intake, waitingFor }: QueueView) =>
  [
    ['Paused by', pause && reasoned(pause.by, pause.reason)],
    ['Until', pause?.until ? <At key="until" at={pause.until} /> : null],
    [
      'After',
      pause?.failure && `the failure of ${pause.failure.taskId}: ${pause.failure.message ?? pause.failure.class}`,
    ],
    ['Intake', intake.open ? null : `closed by ${reasoned(intake.by, intake.reason)}`],
    ['Waits for', waitingFor?.join(', ')],
  ] as const;

const reasoned = (by: string | undefined, reason: string | null | undefined): string =>
  [by, reason].filter(Boolean).join(': ');

const figuresOf = (view: QueueView, stats: QueueStatsDetails | null) =>
  [
    ['Longest wait', stats && longestWaitOf(stats)],
    ['Longest run', durationOf(stats?.longestRunMs)],
    ['Overdue', stats?.overdue ? <Overdue key="overdue" queue={view.name} tasks={stats.overdue} /> : null],
    ['Waited', stats && meanOf(stats.waitingMs)],
    ['Ran', stats && meanOf(stats.runningMs)],
    ['Last claim', stats?.lastPolledAt ? <At key="claim" at={stats.lastPolledAt} /> : null],
    ['Made', <At key="made" at={view.createdAt} />],
  ] as const;

/** Nothing is said if tasks wait, but for what no worker can give, or if the log does not tell since when. */
const longestWaitOf = ({ oldestWaitingMs, counts }: QueueStatsDetails): string | null =>
  durationOf(oldestWaitingMs) ?? ((counts.pending ?? 0) > 0 ? null : 'no task is waiting');

const durationOf = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : duration(ms);

const meanOf = ({ count, total, max }: QueueStatsDetails['waitingMs']): string | null =>
  count === 0 ? null : `${duration(total / count)} on average, ${duration(max)} at most`;

const Overdue = ({ queue, tasks }: { queue: string; tasks: number }) => (
  <Link to="/tasks" search={{ q: `queue:${queue}`, overdue: 'true' }}>
    {plural(tasks, 'task')} past {tasks === 1 ? 'its deadline' : 'their deadlines'}
  </Link>
);
