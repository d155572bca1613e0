import type { FailureClass, EventView, TaskSummary, Waybill } from '@waybill/client';
import type { Catalogue, Overview } from '../archive-ingest/catalogue.js';
import { QUEUE } from '../archive-ingest/queue.js';
import type { Ingested } from './ingest.js';
import { figuresOf, type Office, type QueueFigures } from './office.js';
import { doneOf } from './tally.js';

/** What the read models say about one run. `--json` prints it unchanged. */
export interface Summary {
  readonly folder: string;
  /** The tasks that ended. There are more than files if an interrupted run had left some. */
  readonly tasks: number;
  readonly seconds: number;
  readonly tasksPerSecond: number;
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly failuresByClass: Readonly<Partial<Record<FailureClass, number>>>;
  readonly catalogue: Pick<Overview, 'files' | 'bytes' | 'duplicates'>;
  readonly peakMemoryBytes: { readonly service: number; readonly workers: readonly number[] };
  /** The catalogue's queue comes first. */
  readonly queues: readonly QueueFigures[];
  readonly failures: readonly FailedFile[];
  readonly history: {
    readonly task: string;
    readonly key: string | null;
    readonly events: readonly EventView[];
  } | null;
  readonly api: string;
  readonly docs: string;
}

export interface FailedFile {
  readonly task: string;
  readonly key: string | null;
  readonly class: FailureClass;
  readonly message: string;
}

export interface Run {
  readonly folder: string;
  /** By the database's clock. */
  readonly since: string;
  readonly seconds: number;
  readonly ingested: Ingested;
  readonly workerBytes: readonly number[];
  readonly url: string;
  readonly office: Office;
}

/** What the catalogue's queue demonstrates. */
const SHOWS = 'a key for each file';

export async function summarise(waybill: Waybill, catalogue: Catalogue, run: Run): Promise<Summary> {
  const { folder, since, seconds, ingested, workerBytes, url, office } = run;
  const { added, changed, ...overview } = await catalogue.overview(folder, since);
  const failures = ingested.failed > 0 ? await telling(waybill, since) : [];
  const tasks = doneOf(ingested);
  return {
    folder,
    tasks,
    seconds: round(seconds),
    tasksPerSecond: Math.round(tasks / seconds),
    new: added,
    changed,
    unchanged: Math.max(0, ingested.succeeded - added - changed),
    failed: ingested.failed,
    failuresByClass: ingested.failuresByClass,
    catalogue: overview,
    peakMemoryBytes: { service: process.resourceUsage().maxRSS * 1_024, workers: workerBytes },
    queues: [figuresOf(QUEUE, SHOWS, ingested, null), ...(await office.figures())],
    failures,
    history: await historyOf(waybill, failures[0]?.task ?? ingested.firstTask),
    api: url,
    docs: `${url}/docs`,
  };
}

const round = (seconds: number): number => Math.round(seconds * 10) / 10;

/** The number of this run's latest failures to look at. */
const LOOKED_AT = 500;
const SHOWN = 3;

/** One failed task for each of the most frequent kinds of failure. */
async function telling(waybill: Waybill, since: string): Promise<FailedFile[]> {
  const { items } = await waybill.tasks.page({ queue: QUEUE, state: 'failed' }, { limit: LOOKED_AT });
  const kinds = new Map<string, TaskSummary[]>();
  for (const task of items.filter(({ finishedAt }) => finishedAt !== null && finishedAt >= since)) {
    const kind = kindOf(task.error?.message ?? '');
    kinds.set(kind, [...(kinds.get(kind) ?? []), task]);
  }
  const frequent = [...kinds.values()].sort((a, b) => b.length - a.length);
  return frequent.slice(0, SHOWN).map(([task]) => failedFile(task!));
}

/** A message without the parts that differ from file to file. */
const kindOf = (message: string): string => message.replace(/'[^']*'|\d+/g, '');

const failedFile = ({ id, key, error }: TaskSummary): FailedFile => ({
  task: id,
  key,
  class: error?.class ?? 'application',
  message: error?.message ?? '',
});

async function historyOf(waybill: Waybill, id: string | null): Promise<Summary['history']> {
  if (id === null) return null;
  const task = waybill.task(id);
  const [{ key }, events] = await Promise.all([task.get(), task.history()]);
  return { task: id, key, events };
}
