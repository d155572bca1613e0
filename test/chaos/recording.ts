import type { EventView } from '@waybill/client';
import type { OperationId } from '@waybill/contracts';
import type { Answer, Input, Transport, TransportOptions } from '../../packages/client/src/transport.js';
import { plannerOf } from '../../src/application/batches/create-batch.handler.js';
import { RERUNS } from '../../src/application/batches/rerun-batch.handler.js';
import { rerunBatchOf } from '../../src/application/batches/rerun-ids.js';
import type { Operation, Outcome, SettleType } from '../support/history-checker.js';

/** One request as it was sent, and its answer if one arrived. */
export interface Exchange {
  readonly n: number;
  readonly operation: OperationId;
  readonly input: Input;
  /** In milliseconds since 1970, as `at`. */
  readonly sentAt: number;
  answer: (Pick<Answer, 'status' | 'body'> & { readonly asOf: string | null; readonly at: number }) | null;
}

/** Called with a request before it is sent, and with its answer before anybody else gets it. */
export interface Recorder {
  sent(exchange: Exchange): void;
  answered(exchange: Exchange): void;
}

/** A transport that records everything: each attempt of a request, however often it is repeated. */
export class RecordingTransport implements Transport {
  private count = 0;

  /** `end`: ends every request that has no signal of its own. */
  constructor(
    private readonly inner: Transport,
    private readonly recorder: Recorder,
    private readonly end?: AbortSignal,
  ) {}

  async call(operation: OperationId, input: Input, options?: TransportOptions): Promise<Answer> {
    const exchange: Exchange = { n: this.count++, operation, input, sentAt: Date.now(), answer: null };
    this.recorder.sent(exchange);
    const signal = options?.signal ?? this.end;
    const { status, body, headers } = await this.inner.call(operation, input, {
      ...options,
      ...(signal && { signal }),
    });
    exchange.answer = { status, body, asOf: headers['x-as-of-position'] ?? null, at: Date.now() };
    this.recorder.answered(exchange);
    return { status, body, headers };
  }

  open(operation: OperationId, input: Input, signal?: AbortSignal): AsyncIterable<EventView> {
    return this.inner.open(operation, input, signal);
  }
}

/** Records in memory. */
export class Memory implements Recorder {
  readonly exchanges: Exchange[] = [];

  sent(exchange: Exchange): void {
    this.exchanges.push(exchange);
  }

  answered(): void {
    // The recorded exchange already has its answer.
  }
}

/** The exchanges that another process wrote as lines. */
export function exchangesIn(lines: readonly string[]): Exchange[] {
  const exchanges = new Map<number, Exchange>();
  for (const line of lines) {
    if (!line.startsWith('{"n":')) continue;
    const exchange = JSON.parse(line) as Exchange;
    exchanges.set(exchange.n, exchange);
  }
  return [...exchanges.values()];
}

/** A time whose commits were all lost, because the database was restored as it was before. In milliseconds since 1970. */
export interface Loss {
  readonly from: number;
  readonly to: number;
}

/** What counts after a loss: an exchange that had ended before, only the attempt if it had not, and nothing that began meanwhile. */
export function afterLoss(exchange: Exchange, { from, to }: Loss): readonly Exchange[] {
  const { sentAt, answer } = exchange;
  if (sentAt >= to || (answer !== null && answer.at < from)) return [exchange];
  return sentAt < from ? [{ ...exchange, answer: null }] : [];
}

interface Submitted {
  readonly id: string;
  readonly queue: string;
  readonly key?: string;
}

interface Settling {
  readonly taskId: string;
  readonly token: string;
  readonly verdict: { readonly type: SettleType };
}

interface Answered {
  readonly waited?: object;
  readonly id?: string;
  readonly position?: string;
  readonly problem?: { readonly status: number };
}

/** The checker's views of an exchange. */
export const operationsOf = (exchange: Exchange): Operation[] => [
  ...ofTasks(exchange),
  ...commandIn(exchange),
  ...readIn(exchange),
  ...pastIn(exchange),
];

/** A command that answers with a receipt. */
function commandIn({ operation, input, answer }: Exchange): Operation[] {
  const { 'idempotency-key': idempotencyKey = null, 'x-request-id': requestId = '' } = input.headers ?? {};
  const outcome = outcomeOf(answer?.status);
  const receipt = (outcome === 'ok' ? answer!.body : null) as ReceiptView | null;
  if (outcome === 'ok' && typeof receipt?.recorded !== 'boolean') return [];
  if (outcome !== 'ok' && idempotencyKey === null) return [];
  // Its last event is that of the planner, which counts as enqueued.
  if (plannedBy(operation, input)) return [];
  const { id = '', position = '', recorded = false } = receipt ?? {};
  return [
    {
      kind: 'command',
      operation,
      on: Object.values(input.path ?? {}).join('/'),
      requestId,
      idempotencyKey,
      outcome,
      answer: receipt && { id, position, recorded },
    },
  ];
}

interface ReceiptView {
  readonly id: string;
  readonly position: string;
  readonly recorded: boolean;
}

function readIn({ operation, input, answer }: Exchange): Operation[] {
  const minPosition = input.query?.minPosition;
  if (typeof minPosition !== 'string') return [];
  const outcome = outcomeOf(answer?.status);
  const details = operation === 'getTask' && outcome === 'ok' ? (answer!.body as ShownTask) : null;
  const task = details && { id: details.id, state: details.state, position: details.position };
  return [{ kind: 'read', operation, minPosition, outcome, asOf: answer?.asOf ?? null, task }];
}

function pastIn({ operation, input, answer }: Exchange): Operation[] {
  const asked = input.query?.asOf;
  if (typeof asked !== 'string') return [];
  const outcome = outcomeOf(answer?.status);
  const body = (outcome === 'ok' ? answer!.body : null) as PastView | null;
  const task = operation === 'getTask' && body ? { id: body.id, state: body.state, position: body.position } : null;
  const tally = operation === 'tallyQueue' && body ? { queue: body.queue, counts: body.counts } : null;
  return [{ kind: 'past', operation, asked, outcome, moment: body?.asOf ?? null, task, tally }];
}

interface PastView extends ShownTask {
  readonly queue: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly asOf?: { readonly position: string; readonly at: string };
}

interface ShownTask {
  readonly id: string;
  readonly state: string;
  readonly position: string;
}

function ofTasks({ operation, input, answer }: Exchange): Operation[] {
  const body = input.body as never;
  if (operation === 'enqueueTasks')
    return (body as { tasks: Submitted[] }).tasks.map((task, at) => enqueue(task, item(answer, at)));
  if (operation === 'enqueueTask')
    return [enqueue({ ...(body as Submitted), queue: input.path!.queue! }, whole(answer))];
  const planned = plannedBy(operation, input);
  if (planned) return [planner(planned, whole(answer))];
  if (operation === 'settleTasks') return settlements(body, answer);
  if (operation === 'claimTasks') return [claim(input, answer)];
  return operation === 'takeTurn' ? [...settlements(body, answer), claim(input, answer)] : [];
}

const settlements = ({ items }: { readonly items: readonly Settling[] }, answer: Exchange['answer']): Operation[] =>
  items.flatMap((one, at) => (goesOn(item(answer, at)) ? [] : settle(one, item(answer, at))));

/** A wait that has ended ends no attempt. */
const goesOn = ({ answered }: Item): boolean => answered.waited !== undefined;

/** That of a turn may fail by itself. */
function claim({ path, body }: Input, answer: Exchange['answer']): Operation {
  const { worker, claimId } = body as { worker: string; claimId: string };
  const { tasks = [], problem } = (answer && answer.status < 400 ? answer.body : {}) as ClaimView;
  const outcome = outcomeOf(problem?.status ?? answer?.status);
  const claimedTasks = tasks.map(({ taskId, token }) => ({ taskId, token: numberOf(token) }));
  return { kind: 'claim', queue: path!.queue!, worker, claimId, outcome, claimedTasks };
}

interface ClaimView {
  readonly tasks?: readonly { readonly taskId: string; readonly token: string }[];
  readonly problem?: { readonly status: number };
}

interface Item {
  readonly outcome: Outcome;
  readonly answered: Answered;
}

/** The answer for one item of a batch, or the batch's if the item has none. */
function item(answer: Exchange['answer'], at: number): Item {
  const outcome = outcomeOf(answer?.status);
  if (outcome !== 'ok') return { outcome, answered: {} };
  const answered = (answer!.body as { results: Answered[] }).results[at]!;
  return { outcome: answered.problem ? outcomeOf(answered.problem.status) : 'ok', answered };
}

const whole = (answer: Exchange['answer']): Item => ({
  outcome: outcomeOf(answer?.status),
  answered: (answer?.body ?? {}) as Answered,
});

/** A 500 may follow a commit as well as a lost connection. */
function outcomeOf(status: number | undefined): Outcome {
  if (status === undefined || status >= 500) return 'unknown';
  return status < 400 ? 'ok' : 'refused';
}

const enqueue = ({ id, queue, key }: Submitted, { outcome, answered }: Item): Operation => ({
  kind: 'enqueue',
  taskId: id,
  queue,
  key: key ?? null,
  outcome,
  answer: outcome === 'ok' ? { id: answered.id!, position: answered.position! } : null,
});

interface Planned {
  readonly id: string;
  readonly plan: { readonly queue: string; readonly key?: string };
}

/** The batch that the request makes together with a task that plans it. */
function plannedBy(operation: string, { path, body }: Exchange['input']): Planned | null {
  if (operation === 'rerunBatch') return { id: rerunBatchOf(path!.id!), plan: { queue: RERUNS.name } };
  return operation === 'createBatch' && (body as Partial<Planned>).plan ? (body as Planned) : null;
}

function planner({ id: batch, plan }: Planned, { outcome, answered }: Item): Operation {
  const id = plannerOf(batch);
  return enqueue({ ...plan, id }, { outcome, answered: { ...answered, id } });
}

const settle = ({ taskId, token, verdict }: Settling, { outcome }: Item): Operation => ({
  kind: 'settle',
  taskId,
  token: numberOf(token),
  verdict: verdict.type,
  outcome,
});

/** Leaves out the secret half. */
const numberOf = (token: string): string => token.split('.', 1)[0]!;
