import { derivedId, type TaskSummary, type Waybill } from '@waybill/client';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Entry, entriesIn, Ledger } from './ledger.js';
import { AWAY, type MadeInvoice, makeInvoices } from './make-invoices.js';
import { book, type Booked, type InvoiceFile, type Office, workJob } from './robot.js';
import { SupplierRegister } from './supplier-register.js';

export const ITEMS = 'invoices';
export const JOBS = 'invoice-jobs';
const TRIGGER = 'invoice-batches';

export interface Options {
  /** Where the invoices and the ledger are. Items of another folder are others. */
  readonly folder: string;
  readonly count: number;
  readonly seed: number;
}

/** A file that was no new item, because another has its reference. */
export interface Refused {
  readonly file: string;
  readonly reference: string;
  readonly holder: string;
}

export interface Played {
  readonly made: readonly MadeInvoice[];
  readonly refused: readonly Refused[];
  readonly items: readonly TaskSummary[];
  readonly repaired: number;
  readonly jobs: number;
  readonly ledger: readonly Entry[];
  readonly byJob: number;
}

export interface Watch {
  readonly signal: AbortSignal;
  onNote(text: string): void;
}

/** How often the register cannot read the entry of the supplier who is away. */
const AWAY_TIMES = 12;

/** Makes the invoices, lets robots book them, repairs what can be repaired, and says what became of each. */
export async function play(waybill: Waybill, options: Options, watch: Watch): Promise<Played> {
  const made = await makeInvoices(join(options.folder, 'in'), options.count, options.seed);
  const path = join(options.folder, 'ledger.jsonl');
  const ledger = await Ledger.open(path);
  const register = await SupplierRegister.open(AWAY.taxNumber!, AWAY_TIMES);
  try {
    await defineQueues(waybill);
    const { ids, refused } = await feed(waybill, made);
    watch.onNote(`${ids.length} invoices are items, ${refused.length} were refused as duplicates`);
    const office = { ledger, registerUrl: register.url };
    const repaired = await withRobots(waybill, office, () => bookAll(waybill, { made, ids, options }, watch));
    return {
      ...(await whatBecame(waybill, ids)),
      made,
      refused,
      repaired,
      ledger: entriesIn(await readFile(path, 'utf8')),
    };
  } finally {
    await register.close();
    await ledger.close();
  }
}

async function defineQueues(waybill: Waybill): Promise<void> {
  const backoff = { kind: 'exponential', baseMs: 500, factor: 2, capMs: 4_000 } as const;
  await waybill.queue(ITEMS).define(
    {
      uniqueReference: 'always',
      onFailure: 'retry',
      retry: { classes: ['transient'], maxAttempts: 20, backoff },
    },
    { preset: 'rpa-items', description: 'Incoming e-invoices, booked by robots' },
  );
  await waybill.queue(JOBS).define({}, { description: 'Jobs of up to ten invoices each' });
  const task = { queue: JOBS, kind: 'book-invoices' };
  await waybill.trigger(TRIGGER).define({ queue: ITEMS, batchSize: 10, every: 1, task });
  // An earlier run has disabled it.
  await waybill.trigger(TRIGGER).enable();
}

interface Fed {
  readonly ids: readonly string[];
  readonly refused: readonly Refused[];
}

/** The ids follow from the files, so an interrupted example meets its own items. */
async function feed(waybill: Waybill, made: readonly MadeInvoice[]): Promise<Fed> {
  const tasks = await Promise.all(
    made.map(async ({ path, number, supplier, fault }) => ({
      id: await derivedId('example:invoices', path),
      payload: { path } satisfies InvoiceFile,
      reference: `${supplier.name} ${number}`,
      ...(fault && { labels: { fault } }),
    })),
  );
  const outcomes = await waybill.queue(ITEMS).enqueueMany(tasks);
  const refused = outcomes.flatMap((outcome, at) => {
    if (!('problem' in outcome)) return [];
    const { path } = made[at]!;
    const holder = String(outcome.problem.conflictingTaskId);
    return [{ file: basename(path), reference: tasks[at]!.reference, holder }];
  });
  return { ids: tasks.filter((_, at) => 'id' in outcomes[at]!).map(({ id }) => id), refused };
}

/** Two robots take items by themselves. A third gets jobs, which a trigger makes of items of the same queue. */
async function withRobots<T>(waybill: Waybill, office: Office, work: () => Promise<T>): Promise<T> {
  const direct = waybill
    .worker({ name: 'robot', concurrency: 2 })
    .handle<InvoiceFile>(ITEMS, (task, run) => book(task, run, office));
  const jobs = waybill
    .worker({ name: 'job-robot', concurrency: 1 })
    .handle(JOBS, (job, run) => workJob(job, run, office));
  await Promise.all([direct.start(), jobs.start()]);
  try {
    return await work();
  } finally {
    await waybill.trigger(TRIGGER).disable({ reason: 'the example is over' });
    await Promise.all([direct.stop(), jobs.stop()]);
  }
}

interface Feed {
  readonly made: readonly MadeInvoice[];
  readonly ids: readonly string[];
  readonly options: Options;
}

/** Returns how many items were repaired. */
async function bookAll(waybill: Waybill, { made, ids, options }: Feed, watch: Watch): Promise<number> {
  await allEnded(waybill, ids, watch);
  const broken = (await listed(waybill, ids)).filter(({ error }) => error?.class === 'application');
  if (broken.length === 0) return 0;
  watch.onNote(`The senders send ${broken.length} files again that were cut off, and a person retries their items`);
  await sendAgain(made, options);
  for (const { id } of broken) await waybill.task(id).retry({ reason: 'The sender has sent the file again.' });
  await allEnded(waybill, ids, watch);
  return broken.length;
}

/** Writes the same invoices, whole. */
async function sendAgain(made: readonly MadeInvoice[], { folder, count, seed }: Options): Promise<void> {
  if (made.some(({ fault }) => fault === 'cut off')) await makeInvoices(join(folder, 'in'), count, seed, 'whole');
}

const LOOK_MS = 200;

async function allEnded(waybill: Waybill, ids: readonly string[], watch: Watch): Promise<void> {
  for (let said = ''; ; await pause(LOOK_MS, undefined, { signal: watch.signal })) {
    const open = (await listed(waybill, ids)).filter(({ state }) => state === 'pending' || state === 'running');
    const retrying = open.filter(({ error }) => error !== null).length;
    const words = `${ids.length - open.length} of ${ids.length} done, ${retrying} wait for the register`;
    if (open.length > 0 && words !== said) watch.onNote((said = words));
    if (open.length === 0) return;
  }
}

async function listed(waybill: Waybill, ids: readonly string[]): Promise<TaskSummary[]> {
  const ours = new Set(ids);
  const items: TaskSummary[] = [];
  for await (const item of waybill.tasks.list({ queue: ITEMS })) if (ours.has(item.id)) items.push(item);
  return items;
}

async function whatBecame(waybill: Waybill, ids: readonly string[]): Promise<Pick<Played, 'items' | 'jobs' | 'byJob'>> {
  const items = await listed(waybill, ids);
  const results = await Promise.all(
    items.filter(({ state }) => state === 'succeeded').map(async ({ id }) => (await waybill.task(id).get()).result),
  );
  const jobs = results.flatMap((result) => (result as Booked | null)?.job ?? []);
  return { items, jobs: new Set(jobs).size, byJob: jobs.length };
}
