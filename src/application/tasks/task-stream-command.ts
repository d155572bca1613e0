import type { Json } from '../../domain/kernel/json.js';
import { DEFAULT_POLICY, listsPayloads, type QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { QueueFacts, QueueState } from '../../domain/queue/queue.state.js';
import { isReserved } from '../../domain/queue/reserved.policy.js';
import type { OperatorCommandType, TaskCommand, TaskCommandOf } from '../../domain/task/task.commands.js';
import type { Submission } from '../../domain/task/task.events.js';
import type { TaskRejection } from '../../domain/task/task.rejections.js';
import { outlineOf, type TaskState } from '../../domain/task/task.state.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Refused, type Rejection } from '../kernel/application-error.js';
import { type ConstraintRejection, rejectionOf } from '../kernel/rejection-of.js';
import type { Loaded } from '../kernel/stream-command.js';
import type { AnsweredCommand } from '../kernel/stream-commands.js';
import type { AppendConditions, Refusal } from '../kernel/event-store.port.js';
import { notAPayload, tooLarge } from './admission.js';
import { payloadFault } from './payload-schema.js';
import { asStored } from './stored-payload.js';
import { notOffered, offers } from './offers.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import type { BatchDirectory } from '../kernel/batch-directory.js';
import type { UnitOfWork } from '../kernel/unit-of-work.js';

export interface TaskCommandSpec {
  readonly taskId: string;
  readonly load: 'cached' | 'whole';
  readonly loaded?: Loaded<TaskState>;
  /** Where the trace stands within which the command is given, if it is not that of the whole request. */
  readonly traceparent?: string;
  /**
   * `conflictingTaskId`: a task that already waits for the same key, if this command is to fail because of it (S0-42).
   */
  readonly command: (conflictingTaskId: string | null, policy: QueuePolicy, revision: number) => TaskCommand;
  readonly conditions?: AppendConditions | ((state: TaskState) => AppendConditions);
  /**
   * Whether to decide again, with the conflicting task, if the key's waiting place is taken. Otherwise the command is
   * refused.
   */
  readonly failOnKeyConflict?: boolean;
  /** For commands that depend on the policy of the task's queue, whose name only the loaded state knows. */
  readonly queues?: QueueDirectory;
  /** For commands that the policy of the task's batch may forbid. */
  readonly batches?: BatchDirectory;
  /** Set if the command is part of a transaction, which may also change the policy. */
  readonly unit?: UnitOfWork;
  /** Set for a person's command, which the queue's preset may not offer, or its limits not allow. */
  readonly mustBeOffered?: true;
  /** Set for the undo of a command, which the queue must offer in any state. */
  readonly offeredAs?: OperatorCommandType;
  /** The position of a preview: a task that has changed since is left alone. */
  readonly asPreviewed?: bigint | undefined;
}

/** One command on a task that exists. */
export class TaskStreamCommand implements AnsweredCommand<TaskState, TaskCommand> {
  readonly stream: string;
  readonly load: 'cached' | 'whole';
  readonly loaded?: Loaded<TaskState>;
  readonly traceparent?: string;
  readonly conditions?: TaskCommandSpec['conditions'];
  policyVersion?: number;
  policy?: QueuePolicy;
  /** What the last decision was based on, without payloads: a batch keeps its commands until it ends. */
  private state: TaskState = { status: 'unknown' };
  private revision = 0;
  private conflictingTaskId: string | null = null;

  constructor(private readonly order: TaskCommandSpec) {
    this.stream = taskStream(order.taskId);
    this.load = order.load;
    if (order.loaded !== undefined) this.loaded = order.loaded;
    if (order.traceparent !== undefined) this.traceparent = order.traceparent;
    this.conditions = order.conditions;
  }

  // Properties instead of methods, because the runner copies a command by its own properties.
  readonly command = (state: TaskState, revision: number, position: bigint): TaskCommand | Promise<TaskCommand> => {
    const command = this.commandOn(state, revision, position);
    return command instanceof Promise ? command.then((one) => asStored(one, state)) : asStored(command, state);
  };

  readonly onRefused = async (refusal: Refusal): Promise<object | null> => {
    if (refusal.constraint !== 'key-waiting' || !this.order.failOnKeyConflict) return null;
    this.conflictingTaskId = refusal.taskId;
    return {};
  };

  /** What to tell the caller when a condition refused the command finally. */
  rejectionFor(refusal: Refusal): ConstraintRejection {
    const { state } = this;
    if (state.status === 'unknown') throw new Error(`Expected a task under '${this.stream}', but it is unknown`);
    if (refusal.constraint === 'lease') return leaseLost(state);
    return rejectionOf(refusal, { ...state.task.submission, stream: this.stream });
  }

  private commandOn(state: TaskState, revision: number, position: bigint): TaskCommand | Promise<TaskCommand> {
    this.state = outlineOf(state);
    this.revision = revision;
    const { queues, batches, asPreviewed } = this.order;
    if (asPreviewed !== undefined && position > asPreviewed)
      throw new Refused({ code: 'CHANGED_SINCE_PREVIEW', position: String(position) });
    if (!queues || state.status === 'unknown') return this.commandUnder(DEFAULT_POLICY);
    const { queue, batch } = state.task.submission;
    return batches && batch !== undefined
      ? batches.assertRetries(batch).then(() => this.underPolicy(queues, queue))
      : this.underPolicy(queues, queue);
  }

  private commandUnder(policy: QueuePolicy): TaskCommand {
    return this.order.command(this.conflictingTaskId, policy, this.revision);
  }

  private async underPolicy(queues: QueueDirectory, name: string): Promise<TaskCommand> {
    const { unit } = this.order;
    const known = this.decidedBy((await queues.get(name, unit)).state);
    if (known.refusal === null && !mayBeRefused(known.command)) return known.command;
    // The refusal rests on a cached queue, so the queue is read again.
    queues.forget(name);
    const now = this.decidedBy((await queues.get(name, unit)).state);
    if (now.refusal !== null) throw new Refused(now.refusal);
    return now.command;
  }

  /** Tasks of a deleted queue are decided by the default policy, which offers every command. */
  private decidedBy(queue: QueueState): { readonly command: TaskCommand; readonly refusal: Rejection | null } {
    if (!('queue' in queue)) return { command: this.commandUnder(DEFAULT_POLICY), refusal: null };
    const { policy, policyVersion } = queue.queue;
    this.policyVersion = policyVersion;
    this.policy = policy;
    const command = this.commandUnder(policy);
    const { mustBeOffered, offeredAs } = this.order;
    if (offeredAs !== undefined && !offers(offeredAs, policy))
      return { command, refusal: notOffered(offeredAs, policy, this.state) };
    return { command, refusal: mustBeOffered ? turnedDown(command, queue.queue, this.state) : null };
  }
}

/** Whether the policy has the command refused: for its size, or because workers must not change priorities. */
const mayBeRefused = (command: TaskCommand): boolean =>
  ('bounds' in command && command.bounds?.excess != null) ||
  (command.type === 'CompleteStep' && command.priority !== undefined && !command.takesPriority);

/** Why the queue refuses the command, whatever the task's own rules say. */
const turnedDown = (command: TaskCommand, queue: QueueFacts, state: TaskState): Rejection | null =>
  notOffered(command.type, queue.policy, state) ??
  (command.type === 'AmendPayload' ? notTaken(command, queue, state) : null) ??
  (command.type === 'OverruleTask' ? tooLarge({ payload: command.result }, queue.policy) : null) ??
  (command.type === 'SignalTask' ? tooLarge({ payload: command.data }, queue.policy) : null);

/** Why the queue refuses a task's new payload. */
function notTaken({ payload }: TaskCommandOf<'AmendPayload'>, queue: QueueFacts, state: TaskState): Rejection | null {
  if (state.status === 'unknown') return null;
  return (
    reserved(state.task.submission) ??
    notAPayload({ payload }) ??
    tooLarge({ payload }, queue.policy) ??
    eachOf(payload, queue.policy)
      .map((one) => payloadFault({ kind: state.task.submission.kind, payload: one }, queue))
      .find((fault) => fault !== null) ??
    null
  );
}

/** What submissions brought: in a queue with lists, each of a list. */
const eachOf = (payload: Json, policy: QueuePolicy): readonly Json[] =>
  listsPayloads(policy) && Array.isArray(payload) ? (payload as readonly Json[]) : [payload];

/** The service acts under the name that the payload of such a task says, so nobody may change it. */
const reserved = ({ queue }: Submission): Rejection | null =>
  isReserved(queue) ? { code: 'QUEUE_RESERVED', queue } : null;

function leaseLost(state: Exclude<TaskState, { readonly status: 'unknown' }>): TaskRejection {
  const heldBy = state.status === 'running' ? state.lease.worker : null;
  return { code: 'LEASE_LOST', state: state.status, attempt: state.task.attempt, heldBy };
}
