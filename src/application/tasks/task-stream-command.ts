import { DEFAULT_POLICY, type QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { QueueState } from '../../domain/queue/queue.state.js';
import type { TaskCommand } from '../../domain/task/task.commands.js';
import type { TaskRejection } from '../../domain/task/task.rejections.js';
import type { TaskState } from '../../domain/task/task.state.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { type ApplicationRejection, Refused, type Rejection } from '../kernel/application-error.js';
import type { AnsweredCommand } from '../kernel/stream-commands.js';
import type { AppendConditions, Refusal } from '../kernel/event-store.port.js';
import { tooLarge } from './admission.js';
import { notOffered } from './offers.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import type { UnitOfWork } from '../kernel/unit-of-work.js';

export interface TaskCommandSpec {
  readonly taskId: string;
  readonly load: 'cached' | 'fresh';
  /** `conflictingTaskId`: the task found waiting for the same key, where this one gives way to it (S0-42). */
  readonly command: (conflictingTaskId: string | null, policy: QueuePolicy) => TaskCommand;
  readonly conditions?: AppendConditions;
  /** Whether to decide again as displaced where the key's waiting place is taken, instead of being refused. */
  readonly failOnKeyConflict?: boolean;
  /** For commands that need the policy of the task's queue, which only the loaded state names. */
  readonly queues?: QueueDirectory;
  /** The command is one of several that are recorded as one, some of which may change the policy. */
  readonly unit?: UnitOfWork;
  /** Given by a person: the queue's preset may not offer it, or its limits not allow it. */
  readonly mustBeOffered?: true;
}

/** One command on a task that exists. */
export class TaskStreamCommand implements AnsweredCommand<TaskState, TaskCommand> {
  readonly stream: string;
  readonly load: 'cached' | 'fresh';
  readonly conditions?: AppendConditions;
  policyVersion?: number;
  /** What was decided on last. */
  private state: TaskState = { status: 'unknown' };
  private conflictingTaskId: string | null = null;

  constructor(private readonly order: TaskCommandSpec) {
    this.stream = taskStream(order.taskId);
    this.load = order.load;
    this.conditions = order.conditions;
  }

  // Properties, not methods: the runner copies work by its own properties.
  readonly command = (state: TaskState): TaskCommand | Promise<TaskCommand> => {
    this.state = state;
    const { queues } = this.order;
    return queues && state.status !== 'unknown'
      ? this.underPolicy(queues, state.task.submission.queue)
      : this.order.command(this.conflictingTaskId, DEFAULT_POLICY);
  };

  readonly onRefused = async (refusal: Refusal): Promise<object | null> => {
    if (refusal.constraint !== 'key-waiting' || !this.order.failOnKeyConflict) return null;
    this.conflictingTaskId = refusal.taskId;
    return {};
  };

  /** What the caller is told when a constraint refused the task for good. */
  rejectionFor(refusal: Refusal): TaskRejection | ApplicationRejection {
    const { state } = this;
    if (state.status === 'unknown') throw new Error(`Expected a task under '${this.stream}', but it is unknown`);
    const { key, reference } = state.task.submission;
    switch (refusal.constraint) {
      case 'key-waiting':
        return { code: 'KEY_ALREADY_WAITING', key: key!, conflictingTaskId: refusal.taskId };
      case 'reference':
        return { code: 'REFERENCE_IN_USE', reference: reference!, conflictingTaskId: refusal.taskId };
      case 'lease':
        return leaseLost(state);
      case 'too-large':
        return { code: 'EVENT_TOO_LARGE', bytes: refusal.bytes, limit: refusal.limit };
      default:
        throw new Error(`Expected '${this.stream}' to meet no constraint '${refusal.constraint}', but it did`);
    }
  }

  private async underPolicy(queues: QueueDirectory, name: string): Promise<TaskCommand> {
    const { unit } = this.order;
    const known = this.decidedBy((await queues.get(name, unit)).state);
    if (known.refusal === null) return known.command;
    // Only what the directory remembers of the queue supports the refusal.
    queues.forget(name);
    const now = this.decidedBy((await queues.get(name, unit)).state);
    if (now.refusal !== null) throw new Refused(now.refusal);
    return now.command;
  }

  /** A deleted queue decides by the defaults, and offers everything. */
  private decidedBy(queue: QueueState): { readonly command: TaskCommand; readonly refusal: Rejection | null } {
    if (!('queue' in queue))
      return { command: this.order.command(this.conflictingTaskId, DEFAULT_POLICY), refusal: null };
    const { policy, policyVersion } = queue.queue;
    this.policyVersion = policyVersion;
    const command = this.order.command(this.conflictingTaskId, policy);
    return { command, refusal: this.order.mustBeOffered ? turnedDown(command, policy, this.state) : null };
  }
}

/** Why the queue does not have it, whatever the rules of tasks say. */
const turnedDown = (command: TaskCommand, policy: QueuePolicy, state: TaskState): Rejection | null =>
  notOffered(command.type, policy, state) ?? (command.type === 'AmendPayload' ? tooLarge(command, policy) : null);

function leaseLost(state: Exclude<TaskState, { readonly status: 'unknown' }>): TaskRejection {
  const heldBy = state.status === 'running' ? state.lease.worker : null;
  return { code: 'LEASE_LOST', state: state.status, attempt: state.task.attempt, heldBy };
}
