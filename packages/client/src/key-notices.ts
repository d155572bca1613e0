import type { OperationId, TransactionCommand } from '@waybill/contracts';
import type { Input } from './transport.js';
import type { Logger } from './worker/worker-events.js';

interface Submitted {
  readonly id?: string;
  readonly queue: string;
  readonly key?: string;
}

/** A refusal has no id, and a command of a transaction no status. */
interface Result {
  readonly id?: string;
  readonly status?: string;
}

/** More queues than this are not told of, so that the client remembers no more. */
const MOST_QUEUES = 200;

/**
 * Warns if a submission became no task of its own, because another task with its key waits: once per queue, since some
 * applications want just that.
 */
export class KeyNotices {
  private readonly told = new Set<string>();

  constructor(private readonly logger: Logger | null) {}

  look(operation: OperationId, input: Input, answer: unknown): void {
    const submitted = SUBMITTED[operation];
    if (!submitted || this.logger === null) return;
    const results =
      operation === 'enqueueTask' ? [answer as Result] : (answer as { results: readonly Result[] }).results;
    submitted(input).forEach((one, at) => one && this.tell(one, results[at]));
  }

  /**
   * Another id in the answer is that of the task that waited. The client gives a task no id only beside an idempotency key
   * of the caller.
   */
  private tell({ id, queue, key }: Submitted, result: Result | undefined): void {
    const waiting = result?.id ?? id;
    const isOwn = id === undefined ? result?.status !== 'existing' : waiting === id;
    if (
      isOwn ||
      result?.status === 'gathered' ||
      key === undefined ||
      this.told.has(queue) ||
      this.told.size >= MOST_QUEUES
    )
      return;
    this.told.add(queue);
    this.logger?.warn(
      { event: 'deduplicated', queue, ...(waiting !== undefined && { task: waiting }), key },
      `Expected to add a task with key '${key}' to queue '${queue}', but task '${waiting}' with this key waited and ` +
        `answers for it, as 'duplicatePending' of the queue's policy says. The client tells this once per queue`,
    );
  }
}

/** What an operation submits, in the order of its results; null in the place of another command. */
const SUBMITTED: Partial<Record<OperationId, (input: Input) => readonly (Submitted | null)[]>> = {
  enqueueTask: ({ path, body }) => [{ ...(body as Submitted), queue: path!.queue! }],
  enqueueTasks: ({ body }) => (body as { tasks: readonly Submitted[] }).tasks,
  runTransaction: ({ body }) => (body as { commands: readonly TransactionCommand[] }).commands.map(submittedBy),
};

const submittedBy = ({ operation, queue, body }: TransactionCommand): Submitted | null =>
  operation === 'enqueueTask' ? { ...(body as Submitted), queue: queue! } : null;
