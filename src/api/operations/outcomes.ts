import type { NextStep, SettleOutcome } from '../../application/claims/settle-tasks.handler.js';
import type { Receipt } from '../../application/kernel/command-context.js';
import type { DefinitionReceipt } from '../../application/queues/define-queue.handler.js';
import type { EnqueueItem, EnqueueOutcome, EnqueueStatus } from '../../application/tasks/enqueue-item.js';
import type { TaskStatus } from '../../domain/task/task.events.js';
import type { Answer } from './answer.js';
import { problemOfRejection, type Problem } from '../problems/problem.js';

export type ReceiptBody = Omit<Receipt, 'replayed'>;

export const receiptBody = ({ id, position, revision, recorded }: Receipt): ReceiptBody => ({
  id,
  position,
  revision,
  recorded,
});

export const receiptAnswer = (receipt: Receipt): Answer<ReceiptBody> => ({
  body: receiptBody(receipt),
  replayed: receipt.replayed,
});

type Standing = DefinitionReceipt['queue'];

export type DefinitionBody = ReceiptBody &
  Pick<DefinitionReceipt, 'outcome' | 'differences'> &
  Omit<Standing, 'name' | 'pause'> & { readonly pause?: NonNullable<Standing['pause']> };

/** The answer to a definition: what it did, and the queue afterwards. */
export function definitionAnswer(receipt: DefinitionReceipt): Answer<DefinitionBody> {
  const { outcome, differences, replayed, queue } = receipt;
  const { name, pause, ...standing } = queue;
  return {
    body: { ...receiptBody(receipt), outcome, differences, ...standing, ...(pause && { pause }) },
    replayed,
    policyVersion: queue.policyVersion,
    ...(outcome === 'created' && { created: `/v1/queues/${name}` }),
  };
}

type Done<O extends { readonly kind: string }> = Extract<O, { readonly kind: 'done' }>;

export interface EnqueueResult {
  readonly id: string;
  readonly status: EnqueueStatus;
  /** Of a task that gathers. */
  readonly dueAt?: string;
  readonly position: string;
  readonly revision: number;
}

const enqueueBody = ({ status, receipt, dueAt }: Done<EnqueueOutcome>): EnqueueResult => {
  const { id, position, revision } = receipt;
  const body = { id, status, position, revision };
  return dueAt === undefined ? body : { ...body, dueAt };
};

export function enqueueAnswer(outcome: Done<EnqueueOutcome>): Answer<EnqueueResult> {
  const { status, receipt } = outcome;
  const created = status === 'enqueued' ? { created: `/v1/tasks/${receipt.id}` } : {};
  return { body: enqueueBody(outcome), replayed: receipt.replayed, ...created };
}

export type Settlement = ReceiptBody & { readonly state: TaskStatus } & Partial<NextStep> &
  Pick<Done<SettleOutcome>, 'waited'>;

/** Spreads last: a property that follows a spread takes a microsecond. */
const settlementBody = ({ receipt, state, next, waited }: Done<SettleOutcome>): Settlement => {
  const { id, position, revision, recorded } = receipt;
  return { id, position, revision, recorded, state, ...(waited && { waited }), ...next };
};

export const settlementAnswer = (outcome: Done<SettleOutcome>): Answer<Settlement> => ({
  body: settlementBody(outcome),
});

/** One result per item, in order; a refused item carries its problem. */
export interface ManyResult<T> {
  readonly results: readonly (T | { readonly problem: Problem })[];
  /** The highest position of the results; null if every item was refused. */
  readonly position: string | null;
}

/** Whether a task that waited for the item's key answered for it. One with the item's own id is the item, repeated. */
const isDeduplicated = ({ taskId }: EnqueueItem, outcome: EnqueueOutcome): boolean =>
  outcome.kind === 'done' && outcome.status !== 'enqueued' && outcome.receipt.id !== taskId;

export const enqueueResults = (
  items: readonly EnqueueItem[],
  outcomes: readonly EnqueueOutcome[],
): ManyResult<EnqueueResult> & { readonly deduplicated: number } => ({
  results: outcomes.map((one) =>
    one.kind === 'done' ? enqueueBody(one) : { problem: problemOfRejection(one.rejection) },
  ),
  deduplicated: items.filter((item, at) => isDeduplicated(item, outcomes[at]!)).length,
  position: newestPosition(outcomes),
});

export const settlementResults = (outcomes: readonly SettleOutcome[]): ManyResult<Settlement> => ({
  results: outcomes.map((one) =>
    one.kind === 'done' ? settlementBody(one) : { problem: problemOfRejection(one.rejection) },
  ),
  position: newestPosition(outcomes),
});

type ItemOutcome = { readonly kind: 'done'; readonly receipt: Receipt } | { readonly kind: 'refused' };

function newestPosition(outcomes: readonly ItemOutcome[]): string | null {
  let newest = 0n;
  for (const outcome of outcomes) {
    if (outcome.kind === 'refused') continue;
    const position = BigInt(outcome.receipt.position);
    if (position > newest) newest = position;
  }
  return newest > 0n ? String(newest) : null;
}

/** The later of two positions; null if there is none. */
export const newerPosition = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && BigInt(other) > BigInt(one)) ? other : one;
