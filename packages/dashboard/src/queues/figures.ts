import type { QueueHistory } from '@waybill/client';
import type { Series } from '../ui/chart-props.js';
import { short } from '../ui/numbers.js';
import { TIME_STEPS } from '../ui/time-steps.js';
import { duration } from '../ui/times.js';

/** What happened in a queue in an interval. */
export type Figures = QueueHistory;

/** How many tasks failed for good, whatever their error. */
export const failedIn = ({ failed }: Pick<QueueHistory['total'], 'failed'>): number =>
  Object.values(failed).reduce((sum, tasks) => sum + tasks, 0);

export type Bucket = QueueHistory['buckets'][number];
type Line = Omit<Series, 'values'> & { readonly of: (bucket: Bucket) => number | null };

export interface Figure {
  readonly title: string;
  /** What its values are, in buckets of a length such as `1m`. */
  readonly unit: (bucket: Figures['bucket']) => string;
  readonly shown: (value: number) => string;
  /** As of a chart. */
  readonly steps?: readonly number[];
  readonly lines: readonly Line[];
  /** Whether lines that are 0 everywhere are left out. */
  readonly isSparse?: boolean;
}

/** The classes of errors, each told from the others by its dashes, too. Only one is red: two would be one line where they meet. */
export const CLASSES = [
  ['business', '--state-stopped', [12, 4]],
  ['application', '--alarm', undefined],
  ['transient', '--state-running', [6, 3]],
  ['bug', '--text', [2, 2]],
  ['lost', '--state-waiting', [10, 3, 2, 3]],
  ['timeout', '--state-waiting', [6, 2, 2, 2, 2, 2]],
  ['expired', '--state-waiting', [3, 6]],
] as const;

const LENGTHS: Readonly<Record<Figures['bucket'], string>> = {
  '1m': 'per minute',
  '5m': 'in 5 minutes',
  '15m': 'in 15 minutes',
  '1h': 'per hour',
  '6h': 'in 6 hours',
  '1d': 'per day',
};

const tasksIn = (bucket: Figures['bucket']): string => `tasks ${LENGTHS[bucket]}`;

/** What the charts of a queue show. */
export const FIGURES: readonly Figure[] = [
  {
    title: 'Throughput',
    unit: tasksIn,
    shown: short,
    lines: [
      { name: 'enqueued', colour: '--state-waiting', dashes: [6, 3], of: ({ enqueued }) => enqueued },
      { name: 'succeeded', colour: '--state-running', of: ({ succeeded }) => succeeded },
      { name: 'failed', colour: '--alarm', dashes: [2, 2], of: failedIn },
    ],
  },
  {
    title: 'Failures by class',
    unit: tasksIn,
    shown: short,
    isSparse: true,
    lines: CLASSES.map(([name, colour, dashes]) => ({ name, colour, dashes, of: ({ failed }) => failed[name] ?? 0 })),
  },
  {
    title: 'Backlog',
    unit: () => 'tasks',
    shown: short,
    lines: [{ name: 'waiting', colour: '--state-waiting', of: ({ backlog }) => backlog }],
  },
  {
    title: 'Wait until claimed',
    unit: () => 'duration',
    shown: duration,
    steps: TIME_STEPS,
    lines: [
      { name: 'median', colour: '--state-running', of: ({ waitingMs }) => waitingMs.median },
      { name: 'p95', colour: '--state-stopped', dashes: [6, 3], of: ({ waitingMs }) => waitingMs.p95 },
    ],
  },
  {
    title: 'Run',
    unit: () => 'duration',
    shown: duration,
    steps: TIME_STEPS,
    lines: [
      { name: 'median', colour: '--state-running', of: ({ processingMs }) => processingMs.median },
      { name: 'p95', colour: '--state-stopped', dashes: [6, 3], of: ({ processingMs }) => processingMs.p95 },
    ],
  },
];
