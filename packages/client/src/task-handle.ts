import type {
  Answers,
  EventView,
  FollowToken,
  Json,
  KeptLogLine,
  Lineage,
  PrerequisiteResult,
  Receipt,
  TaskDetails,
  TaskExplanation,
  TaskGraph,
  TaskProof,
  TaskWait,
} from '@waybill/contracts';
import { assertOptions } from './call-options.js';
import type { Caller, CallOptions, CommandOptions, ReadOptions } from './caller.js';
import { eventFeed } from './event-feed.js';
import { requestsOf } from './given-command.js';
import { readQuery } from './read-query.js';
import { TaskCommands } from './task-commands.js';
import { isOver } from './task-end.js';
import { resultsFor } from './read-results.js';
import type { PageOptions } from './task-list.js';
import { type TaskLogOptions, linesOf } from './task-log.js';
import { type ResultOptions, resultOf } from './task-result.js';
import { endsTask } from './words/effects.js';

export interface RunAgainOptions extends CommandOptions {
  /** If absent, the payload of the first run. */
  readonly payload?: unknown;
  /** The step to begin at, with the data that were recorded. If absent, the first one, with the data as submitted. */
  readonly fromStep?: string;
  /** If absent, the queue of the first run. */
  readonly queue?: string;
}

export interface GraphOptions extends ReadOptions {
  /** Over how many steps. */
  readonly depth?: number;
}

export interface ProofOptions extends CallOptions {
  /** With the private halves of its events, such as the payload. */
  readonly private?: boolean;
}

export interface FollowTokenOptions extends CallOptions {
  /** How long the token is valid, up to a day; an hour if absent. */
  readonly expiresInMs?: number;
}

/** The service waits up to 20 seconds for a seal. */
const PROOF_MS = 30_000;

export interface LineageOptions extends ReadOptions {
  /** Over how many steps to show what led to it: 0 to 10, 3 if absent. */
  readonly up?: number;
  /** Over how many steps to show what followed from it: 0 to 10, 3 if absent. */
  readonly down?: number;
}

/** One task, by id. Creating a handle sends no request. */
export class TaskHandle extends TaskCommands<'request'> {
  constructor(
    private readonly caller: Caller,
    id: string,
  ) {
    super(id, requestsOf(caller));
  }

  get(options: ReadOptions = {}): Promise<TaskDetails> {
    return this.read('getTask', options);
  }

  /** Its payload, also one that is stored outside the log, which `get` only names in `payloadOutside`. */
  async payload(options: ReadOptions = {}): Promise<unknown> {
    return (await this.read('getTaskPayload', options)).payload;
  }

  /** Where its waiting time went: intervals with reasons that add up to it. */
  wait(options: ReadOptions = {}): Promise<TaskWait> {
    return this.read('getTaskWait', options);
  }

  /** Runs the task again once it has ended, also if it succeeded, as a new task, whose receipt it returns. */
  runAgain(reason: string, options: RunAgainOptions = {}): Promise<Receipt> {
    const { payload, fromStep, queue } = options;
    const body = { payload, fromStep, queue, reason };
    return this.caller.call('runTaskAgain', { path: { id: this.id }, body }, options);
  }

  /**
   * The result with which the task succeeds, as soon as it has: null if its worker gave none. Throws `TaskFailed` if it ends otherwise,
   * and `TaskNotEnded` if it has not ended in time: what becomes of it is unknown then, and a further call waits on.
   */
  result(options: ResultOptions = {}): Promise<Json> {
    assertOptions('task.result', options);
    return resultOf(this.caller, this.id, options);
  }

  /**
   * What the task waits or waited for, with the results of what has succeeded, by id. Fetches page by page as you iterate, so
   * that they need not fit in memory together.
   */
  results(options: PageOptions = {}): AsyncGenerator<PrerequisiteResult> {
    return resultsFor(this.caller, this.id, options);
  }

  /** What the handlers of the task said with `run.log`, the oldest line first; with `follow`, also what they say from now on. */
  log(options: TaskLogOptions = {}): AsyncGenerator<KeptLogLine> {
    assertOptions('task.log', options);
    return linesOf(this.caller, this.id, options);
  }

  /** Every reason why the task is not running now. */
  why(options: ReadOptions = {}): Promise<TaskExplanation> {
    return this.read('getTaskExplanation', options);
  }

  /**
   * What the task waits for, and what waits for it, in levels; over one step with `depth: 1`. Large graphs are folded.
   */
  graph(options: GraphOptions = {}): Promise<TaskGraph> {
    const query = { ...readQuery(options), depth: options.depth };
    return this.caller.call('getTaskGraph', { path: { id: this.id }, query }, options);
  }

  /** What led to the task, and what followed from it: submissions, triggers, operations, reruns and so on. */
  lineage(options: LineageOptions = {}): Promise<Lineage> {
    const { up, down } = options;
    const query = { ...readQuery(options), up, down };
    return this.caller.call('getTaskLineage', { path: { id: this.id }, query }, options);
  }

  /**
   * That its events are in the sealed log, to take along: `waybill verify` checks it. Waits for the next seal, so
   * `timeoutMs` is 30 seconds if absent.
   */
  proof(given: ProofOptions = {}): Promise<TaskProof> {
    assertOptions('getTaskProof', given);
    const { private: isPrivate, ...options } = given;
    const input = { path: { id: this.id }, query: { private: isPrivate } };
    return this.caller.call('getTaskProof', input, { timeoutMs: PROOF_MS, ...options });
  }

  /**
   * A token with which a page may follow this task, with `@waybill/client/follow`, until it expires: send it to the browser of somebody
   * who may see the result. It opens nothing else.
   */
  followToken(given: FollowTokenOptions = {}): Promise<FollowToken> {
    assertOptions('createFollowToken', given);
    const { expiresInMs, ...options } = given;
    return this.caller.call('createFollowToken', { path: { id: this.id }, body: { expiresInMs } }, options);
  }

  /** The whole history of the task, oldest event first. */
  async history(options: ReadOptions = {}): Promise<EventView[]> {
    const { items } = await this.read('getTaskHistory', options);
    return items;
  }

  /**
   * The history of the task, then new events, until the task ends or `signal` aborts. If the task has already ended,
   * yields only its history, even if the task can be retried.
   */
  async *follow(options: Pick<ReadOptions, 'signal'> = {}): AsyncGenerator<EventView> {
    assertOptions('task.follow', options);
    const { signal } = options;
    const past = await this.history({ signal }).catch((error: unknown) => {
      if (signal?.aborted) return [];
      throw error;
    });
    yield* past;
    if (signal?.aborted || isOver(past)) return;
    const after = past.at(-1)!.position;
    for await (const event of eventFeed(this.caller, { task: this.id, after, follow: true, signal })) {
      yield event;
      if (endsTask(event)) return;
    }
  }

  private read<O extends 'getTask' | 'getTaskPayload' | 'getTaskExplanation' | 'getTaskWait' | 'getTaskHistory'>(
    operation: O,
    options: ReadOptions,
  ): Promise<Answers[O]> {
    return this.caller.call(operation, { path: { id: this.id }, query: readQuery(options) }, options);
  }
}
