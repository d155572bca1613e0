import { type EnqueueOutcome, type NewTask, type Waybill, WaybillError } from '@waybill/client';
import { type Checked, importedItems, QueueNames, type Tables } from './check-tables.js';
import { type ImportedItem } from './item-rows.js';
import { type ImportedQueue, policyAtFirst, policyAtLast } from './queue-rows.js';

export interface ItemProblem {
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

export interface Imported {
  /** Items that are tasks now, and those that an earlier import had already made. */
  readonly imported: number;
  readonly existing: number;
  readonly refused: number;
  /** The first of them. */
  readonly problems: readonly ItemProblem[];
}

const CHUNK = 500;
const AT_ONCE = 20;
const MOST_PROBLEMS = 20;

/**
 * Longer than people wait before they repeat an interrupted import. Until then nobody else gets an item that the import was about to
 * end, and the repeated import gets the same lease.
 */
const LEASE_MS = 12 * 3_600_000;

/**
 * Makes what the tables have. Everything has an id that follows from the tables, so it can be repeated: what is there
 * already is left alone. `onProgress` is told how many items have been dealt with.
 */
export async function importTables(
  waybill: Waybill,
  tables: Tables,
  checked: Checked,
  onProgress: (items: number) => void,
): Promise<Imported> {
  for (const queue of checked.queues) await open(waybill, queue, checked.id);
  const outcome = new Outcome();
  const items = new ItemImport(waybill, checked.id, outcome);
  const names = new QueueNames(waybill, checked.queues);
  const unexpected = (problem: Error): never => {
    throw problem;
  };
  const each = async (
    isOne: (item: ImportedItem) => boolean,
    run: (chunk: readonly ImportedItem[]) => Promise<void>,
  ) => {
    for await (const chunk of chunksOf(importedItems(tables, names.of, unexpected), isOne)) {
      await run(chunk);
      onProgress(outcome.count);
    }
  };
  // An item cannot end while another one with its key waits.
  await each(
    ({ end }) => end !== 'offered',
    (chunk) => items.endAll(chunk),
  );
  await each(
    ({ end, line }) => end === 'offered' && !checked.sameKey.has(line),
    (chunk) => items.offer(chunk),
  );
  for (const queue of checked.queues) await settle(waybill, queue, checked.id);
  return outcome;
}

async function open(waybill: Waybill, queue: ImportedQueue, requestId: string): Promise<void> {
  const handle = waybill.queue(queue.name);
  const options = { preset: 'rpa-items', description: queue.description, requestId };
  const { policy, policyVersion, state, intake } = await handle.define(policyAtFirst(queue), options);
  if (policy.onFailure !== 'fail')
    await handle.changePolicy({ onFailure: 'fail' }, { ifVersion: policyVersion, requestId });
  if (!intake.open) await handle.openIntake({ requestId });
  if (state === 'paused') await handle.resume({ requestId });
}

/** An inactive queue takes in nothing and gives out nothing. */
async function settle(waybill: Waybill, queue: ImportedQueue, requestId: string): Promise<void> {
  const handle = waybill.queue(queue.name);
  const policy = policyAtLast(queue);
  if (policy) {
    const { policyVersion } = await handle.get();
    await handle.changePolicy(policy, { ifVersion: policyVersion, requestId });
  }
  if (queue.isActive) return;
  const reason = 'It was inactive where it was imported from.';
  await handle.closeIntake({ reason, requestId });
  await handle.pause({ reason, requestId });
}

async function* chunksOf(
  items: AsyncIterable<ImportedItem>,
  isOne: (item: ImportedItem) => boolean,
): AsyncGenerator<readonly ImportedItem[]> {
  let chunk: ImportedItem[] = [];
  for await (const item of items) {
    if (!isOne(item)) continue;
    chunk.push(item);
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

class Outcome implements Imported {
  imported = 0;
  existing = 0;
  refused = 0;
  readonly problems: ItemProblem[] = [];

  get count(): number {
    return this.imported + this.existing + this.refused;
  }

  refuse({ line }: ImportedItem, code: string, message: string): void {
    this.refused++;
    if (this.problems.length < MOST_PROBLEMS) this.problems.push({ line, code, message });
  }
}

class ItemImport {
  constructor(
    private readonly waybill: Waybill,
    private readonly id: string,
    private readonly outcome: Outcome,
  ) {}

  async endAll(items: readonly ImportedItem[]): Promise<void> {
    const lanes = lanesOf(items);
    const worker = async () => {
      for (const lane of lanes) for (const item of lane) await this.end(item);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  async offer(items: readonly ImportedItem[]): Promise<void> {
    const tasks = items.map((item) => ({ ...taskOf(item), queue: item.queue }));
    const outcomes = await this.waybill.enqueueMany(tasks, { requestId: this.id });
    for (const [at, outcome] of outcomes.entries()) this.note(items[at]!, outcome);
  }

  private note(item: ImportedItem, outcome: EnqueueOutcome): void {
    if ('problem' in outcome) this.outcome.refuse(item, outcome.problem.code, outcome.problem.detail);
    else if (outcome.status === 'enqueued') this.outcome.imported++;
    else this.outcome.existing++;
  }

  /** Nobody else can get the item: it begins with the import's own claim, which ends it. */
  private async end(item: ImportedItem): Promise<void> {
    try {
      await this.endClaimed(item);
      this.outcome.imported++;
    } catch (error) {
      if (!(error instanceof WaybillError)) throw error;
      // It has ended already, or somebody has continued with it since.
      if (['ILLEGAL_TRANSITION', 'TASK_ALREADY_CLAIMED'].includes(error.code)) this.outcome.existing++;
      else this.outcome.refuse(item, error.code, error.detail);
    }
  }

  private async endClaimed(item: ImportedItem): Promise<void> {
    const requestId = this.id;
    const { queue, end } = item;
    const request = { ...taskOf(item), worker: this.id, leaseMs: LEASE_MS };
    const { taskId, token } = await this.waybill.queue(queue).start(request, { requestId });
    if (end === 'deleted') return void (await this.waybill.task(taskId).delete({ force: true, requestId }));
    const { result, error: message } = item;
    const error = { message, ...(result !== null && { details: result }) };
    const verdict = end === 'done' ? ({ type: 'succeed', result } as const) : ({ type: 'fail', error } as const);
    const [settled] = await this.waybill.settle([{ taskId, token, verdict }], { requestId });
    if (settled && 'problem' in settled) throw new WaybillError(settled.problem);
  }
}

/** Only one task of a key runs at a time, so items of the same key end one after another. */
function lanesOf(items: readonly ImportedItem[]): IterableIterator<readonly ImportedItem[]> {
  const lanes = new Map<string, ImportedItem[]>();
  for (const item of items) {
    const lane = item.key === undefined ? item.id : `${item.queue}\n${item.key}`;
    const others = lanes.get(lane);
    if (others) others.push(item);
    else lanes.set(lane, [item]);
  }
  return lanes.values();
}

const taskOf = ({
  id,
  kind,
  key,
  reference,
  priority,
  payload,
  labels,
  limits,
}: ImportedItem): NewTask & { readonly id: string } => ({
  ...limits,
  id,
  ...(kind !== undefined && { kind }),
  ...(key !== undefined && { key }),
  ...(reference !== undefined && { reference }),
  ...(priority !== undefined && { priority }),
  ...(payload !== undefined && { payload }),
  ...(Object.keys(labels).length > 0 && { labels }),
});
