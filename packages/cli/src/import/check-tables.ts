import { type QueueView, type Waybill, WaybillError } from '@waybill/client';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type ImportedItem, type ItemEnd, itemIn } from './item-rows.js';
import type { Mapping } from './mapping.js';
import { type ImportedQueue, queueIn } from './queue-rows.js';
import { readRows, RowProblem } from './read-rows.js';

/** What to import. */
export interface Tables {
  readonly queues?: string;
  readonly items?: string;
  /** Statuses of the table that are none of Waybill's, by which of those stands for each. */
  readonly custom: ReadonlyMap<string, string>;
  /** How to read the items. Without it, they have the columns of an import's own table. */
  readonly mapping?: Mapping;
}

export interface TableProblem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

export interface Checked {
  /** Of the tables' content, so that an import that is begun again is the same. */
  readonly id: string;
  readonly queues: readonly ImportedQueue[];
  readonly items: Readonly<Record<ItemEnd, number>>;
  /** How many of the offered ones a robot had. */
  readonly wereRunning: number;
  /** How many new items are older than one before them. */
  readonly outOfOrder: number;
  /** How many new items have expired by now, and how many have missed their deadline. */
  readonly expired: number;
  readonly overdue: number;
  /** The lines of new items that are left out, because their queue keeps one waiting task of a key, and a line before has theirs. */
  readonly sameKey: ReadonlySet<number>;
  /** The first of them, and how many there are. */
  readonly problems: readonly TableProblem[];
  readonly problemCount: number;
}

const MOST_PROBLEMS = 20;

/** Reads the tables without changing anything. Throws `UsageError` if one cannot be read. */
export async function checkTables(waybill: Waybill, tables: Tables): Promise<Checked> {
  const check = new Check(waybill, tables);
  return await check.run();
}

/** The items of the table, one by one. Those with a problem are left out, and reported to `onProblem`. */
export async function* importedItems(
  { items: file, custom, mapping }: Tables,
  queueOf: (named: string) => Promise<string | null>,
  onProblem: (problem: RowProblem) => void,
): AsyncGenerator<ImportedItem> {
  if (file === undefined) return;
  for await (const row of readRows(file)) {
    try {
      yield await itemIn(mapping ? mapping.applied(row) : row, queueOf, custom);
    } catch (error) {
      if (!(error instanceof RowProblem)) throw error;
      onProblem(error);
    }
  }
}

/** Finds queues by what the table calls them, then by their name or id in the service. */
export class QueueNames {
  private readonly known = new Map<string, Promise<string | null>>();
  private readonly views = new Map<string, QueueView | null>();

  constructor(
    private readonly waybill: Waybill,
    queues: readonly ImportedQueue[],
  ) {
    for (const { name, ids } of queues)
      for (const named of [name, ...ids]) this.known.set(named, Promise.resolve(name));
  }

  readonly of = (named: string): Promise<string | null> => {
    const known = this.known.get(named) ?? this.view(named).then((view) => view?.name ?? null);
    this.known.set(named, known);
    return known;
  };

  /** Null if the service has no such queue. */
  async view(named: string): Promise<QueueView | null> {
    const seen = this.views.get(named);
    if (seen !== undefined) return seen;
    const view = await this.waybill.queue(named).get().catch(nothingIfUnknown);
    this.views.set(named, view);
    return view;
  }
}

function nothingIfUnknown(error: unknown): null {
  if (error instanceof WaybillError && (error.code === 'QUEUE_NOT_FOUND' || error.status === 400)) return null;
  throw error;
}

class Check {
  private readonly problems: TableProblem[] = [];
  private problemCount = 0;
  private readonly counts: Record<ItemEnd, number> = { offered: 0, done: 0, failed: 0, deleted: 0 };
  private wereRunning = 0;
  private outOfOrder = 0;
  private expired = 0;
  private overdue = 0;
  private readonly now = new Date().toISOString();
  private newest = '';
  private readonly lineOfId = new Map<string, number>();
  private readonly lineOfReference = new Map<string, number>();
  private readonly lineOfKey = new Map<string, number>();
  private readonly sameKey = new Set<number>();

  constructor(
    private readonly waybill: Waybill,
    private readonly tables: Tables,
  ) {}

  async run(): Promise<Checked> {
    const queues = await this.queues();
    const names = new QueueNames(this.waybill, queues);
    const byName = new Map(queues.map((queue) => [queue.name, queue]));
    const onProblem = (problem: RowProblem) => this.note(this.tables.items!, problem);
    const items = importedItems(this.tables, names.of, onProblem);
    await this.guarded(this.tables.items!, async () => {
      for await (const item of items) {
        const problem = this.problemWith(item, await rulesFor(item, byName, names));
        if (problem === null) this.count(item);
        else onProblem(new RowProblem(item.line, problem));
      }
    });
    const { queues: file, items: itemsFile, mapping } = this.tables;
    if (this.lineOfId.size > 0)
      for (const column of mapping?.unseen() ?? []) onProblem(new RowProblem(1, unseen(column)));
    const { counts, wereRunning, outOfOrder, expired, overdue, sameKey, problems, problemCount } = this;
    const id = await hashOf([file, itemsFile, ...(mapping ? [mapping.path] : [])]);
    return { id, queues, items: counts, wereRunning, outOfOrder, expired, overdue, sameKey, problems, problemCount };
  }

  private async queues(): Promise<ImportedQueue[]> {
    const file = this.tables.queues;
    const lines = new Map<string, number>();
    const queues: ImportedQueue[] = [];
    if (file === undefined) return queues;
    await this.guarded(file, async () => {
      for await (const row of readRows(file)) {
        await this.guarded(file, async () => {
          const queue = queueIn(row);
          const first = lines.get(queue.name);
          if (first !== undefined) throw new RowProblem(row.line, alreadyIn('name', queue.name, first));
          lines.set(queue.name, row.line);
          queues.push(queue);
        });
      }
    });
    return queues;
  }

  private problemWith(item: ImportedItem, rules: Rules): string | null {
    const { id, givenId, line, queue, end, reference } = item;
    const first = this.lineOfId.get(id);
    if (first !== undefined) return alreadyIn('id', givenId, first);
    this.lineOfId.set(id, line);
    if (end === 'failed' && rules.retries)
      return `Expected queue '${queue}' to retry nothing by itself (onFailure: fail) while failed items are imported, but it does`;
    const keyProblem = this.keyProblem(item, rules);
    if (keyProblem !== null || reference === undefined || !rules.isUnique) return keyProblem;
    const other = this.lineOfReference.get(`${queue}\n${reference}`);
    if (other !== undefined) return alreadyIn('reference', reference, other);
    this.lineOfReference.set(`${queue}\n${reference}`, line);
    return null;
  }

  /** Of new items with the same key, a queue that keeps one waiting task would answer with the first. A repetition must leave out the same ones. */
  private keyProblem({ key, queue, end, line }: ImportedItem, { keyRequired, duplicatePending }: Rules): string | null {
    if (key === undefined)
      return keyRequired ? `Expected a key, because queue '${queue}' requires it, but there is none` : null;
    if (end !== 'offered' || duplicatePending === 'allow') return null;
    const first = this.lineOfKey.get(`${queue}\n${key}`);
    if (first === undefined) this.lineOfKey.set(`${queue}\n${key}`, line);
    else if (duplicatePending === 'return-existing') this.sameKey.add(line);
    else return alreadyIn('key', key, first);
    return null;
  }

  private count({ line, end, wasRunning, labels, limits }: ImportedItem): void {
    if (this.sameKey.has(line)) return;
    this.counts[end]++;
    if (end !== 'offered') return;
    if (wasRunning) this.wereRunning++;
    if (this.isOver(limits.expiresAt)) this.expired++;
    if (this.isOver(limits.deadlineAt)) this.overdue++;
    const createdAt = labels['imported-created-at'];
    if (createdAt === undefined) return;
    if (createdAt < this.newest) this.outOfOrder++;
    else this.newest = createdAt;
  }

  private isOver(time: string | undefined): boolean {
    return time !== undefined && time <= this.now;
  }

  private async guarded(file: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof RowProblem)) throw error;
      this.note(file, error);
    }
  }

  private note(file: string, { line, message }: RowProblem): void {
    this.problemCount++;
    if (this.problems.length < MOST_PROBLEMS) this.problems.push({ file, line, message });
  }
}

interface Rules extends Pick<QueueView['policy'], 'keyRequired' | 'duplicatePending'> {
  readonly isUnique: boolean;
  readonly retries: boolean;
}

/** Of a queue of the table. */
const OWN = { keyRequired: false, duplicatePending: 'return-existing', retries: false } as const;

/** A queue of the table retries nothing until its items are there. */
async function rulesFor(
  { queue }: ImportedItem,
  byName: ReadonlyMap<string, ImportedQueue>,
  names: QueueNames,
): Promise<Rules> {
  const imported = byName.get(queue);
  if (imported) return { ...OWN, isUnique: imported.uniqueReference === 'always' };
  const { policy } = (await names.view(queue))!;
  return { ...policy, isUnique: policy.uniqueReference !== 'off', retries: policy.onFailure === 'retry' };
}

const unseen = (column: string): string => `Expected a column '${column}', as the mapping says, but no row has it`;

const alreadyIn = (column: string, value: string, line: number): string =>
  `Expected another ${column} than '${value}', but line ${line} has it`;

async function hashOf(paths: readonly (string | undefined)[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) {
    hash.update('\n');
    if (path !== undefined) for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  }
  return `import-${hash.digest('hex').slice(0, 16)}`;
}
