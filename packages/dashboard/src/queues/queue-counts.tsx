import type { QueueStats } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { Count } from '../ui/number.js';
import { Pill } from '../ui/pill.js';
import css from './queue-counts.module.css';

/** States that are shown even if no task is in them. */
const ALWAYS: ReadonlySet<string> = new Set(['pending', 'running', 'failed', 'succeeded']);

/** How many tasks are in each state, as doors to them. */
export const QueueCounts = ({ stats: { queue, counts } }: { stats: Pick<QueueStats, 'queue' | 'counts'> }) => (
  <nav className={css.counts} aria-label="Tasks by state">
    {Object.entries(counts)
      .filter(([state, tasks]) => tasks > 0 || ALWAYS.has(state))
      .map(([state, tasks]) => (
        <Link key={state} to="/tasks" search={{ q: `queue:${queue} state:${state}` }}>
          <b>
            <Count value={tasks} isAlarm={state === 'failed'} />
          </b>
          <Pill state={tasks === 0 && state === 'failed' ? 'none' : state} label={state} />
        </Link>
      ))}
  </nav>
);
