import type {
  BatchDetails,
  BatchReport,
  BatchReportPage,
  BatchTally,
  BatchView,
  EventView,
  Receipt,
  TaskGraph,
} from '@waybill/contracts';
import { assertOptions } from './call-options.js';
import type { Caller, CallOptions, ReadOptions, ReasonOptions } from './caller.js';
import { eventFeed } from './event-feed.js';
import { type HistoryOptions, historyOf } from './history.js';
import { readQuery } from './read-query.js';
import { everyItem, pageQuery, type PageOptions } from './task-list.js';

const ENDED: readonly BatchView['state'][] = ['completed', 'failed', 'aborted', 'deleted'];

const ENDINGS: readonly string[] = ['BatchCompleted', 'BatchFailed', 'BatchPlanFailed', 'BatchAborted', 'BatchDeleted'];

/** The batch ended without being completed. */
export class BatchFailed extends Error {
  override readonly name = 'BatchFailed';
  constructor(readonly batch: BatchView) {
    super(
      `Expected batch '${batch.name}' to be completed, but it is ${batch.state}: ` +
        (batch.error ?? `of ${batch.total} tasks ${batch.succeeded} succeeded and ${batch.failed} failed`),
    );
  }
}

/** One batch, by id. Creating a handle sends no request. */
export class BatchHandle {
  constructor(
    private readonly caller: Caller,
    readonly id: string,
  ) {}

  /** The batch, with its tasks that have not ended and the commands that end them. */
  get(options: ReadOptions = {}): Promise<BatchDetails> {
    return this.caller.call('getBatch', { path: { id: this.id }, query: readQuery(options) }, options);
  }

  /** The batch's tasks in levels, with what each waits for. Large graphs are folded. */
  graph(options: ReadOptions = {}): Promise<TaskGraph> {
    return this.caller.call('getBatchGraph', { path: { id: this.id }, query: readQuery(options) }, options);
  }

  /** Lets the tasks run, if the batch has as many as `tasks` says. */
  open(tasks: number, options: ReasonOptions = {}): Promise<Receipt> {
    return this.caller.call('openBatch', { path: { id: this.id }, body: { tasks, reason: options.reason } }, options);
  }

  /** Releases the task that plans the batch. */
  release(options: ReasonOptions = {}): Promise<Receipt> {
    return this.caller.call('releaseBatch', { path: { id: this.id }, body: { reason: options.reason } }, options);
  }

  /** Lets the failed batch report what has changed since its last report, and end again. */
  report(options: ReasonOptions = {}): Promise<Receipt> {
    return this.caller.call('requestReport', { path: { id: this.id }, body: { reason: options.reason } }, options);
  }

  /** Runs copies of the failed tasks of the batch, in a batch of their own. */
  async rerun(options: ReasonOptions = {}): Promise<BatchHandle> {
    const { id } = await this.caller.call(
      'rerunBatch',
      { path: { id: this.id }, body: { reason: options.reason } },
      options,
    );
    return new BatchHandle(this.caller, id);
  }

  /** What the batch has reported, the newest first. Fetches page by page as you iterate. */
  reports(options: PageOptions = {}): AsyncGenerator<BatchReport> {
    const page = (cursor?: string): Promise<BatchReportPage> => {
      const query = pageQuery({ ...options, cursor });
      return this.caller.call('listBatchReports', { path: { id: this.id }, query }, options);
    };
    return everyItem(page, options.cursor);
  }

  /** Everything that happened to the batch itself, the oldest event first. Fetches page by page as you iterate. */
  history(options: HistoryOptions = {}): AsyncGenerator<EventView> {
    return historyOf(this.caller, { operation: 'getBatchHistory', path: { id: this.id } }, options);
  }

  /** How many of the batch's tasks are in each state of each queue, and at which step. The service's own tasks are in no batch. */
  async tally(options: ReadOptions = {}): Promise<readonly BatchTally[]> {
    const { items } = await this.caller.call(
      'tallyBatch',
      { path: { id: this.id }, query: readQuery(options) },
      options,
    );
    return items;
  }

  /** Aborts the batch and all its tasks that have not succeeded. */
  abort(options: ReasonOptions = {}): Promise<Receipt> {
    return this.caller.call('abortBatch', { path: { id: this.id }, body: { reason: options.reason } }, options);
  }

  /** Deletes the batch and all its tasks that have not succeeded, also running ones. Their history stays. */
  delete(options: ReasonOptions = {}): Promise<Receipt> {
    return this.caller.call('deleteBatch', { path: { id: this.id }, query: { reason: options.reason } }, options);
  }

  /** Waits until the batch is completed. Throws `BatchFailed` if it ends otherwise. */
  async done(options: Pick<CallOptions, 'signal'> = {}): Promise<BatchView> {
    assertOptions('batch.done', options);
    const now = await this.get(options);
    const ended = ENDED.includes(now.state) ? now : await this.nextEnd(now.position, options);
    if (ended.state !== 'completed') throw new BatchFailed(ended);
    return ended;
  }

  private async nextEnd(after: string, options: Pick<CallOptions, 'signal'>): Promise<BatchView> {
    for await (const event of eventFeed(this.caller, { category: 'batch', after, follow: true, ...options })) {
      if (event.data['batch'] !== this.id || !ENDINGS.includes(event.type)) continue;
      return this.get({ minPosition: event.position, ...options });
    }
    throw new Error(`Expected batch '${this.id}' to end, but nobody waits for it any more`);
  }
}
