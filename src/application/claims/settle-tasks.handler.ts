import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { ConstraintRejection } from '../kernel/rejection-of.js';
import type { TaskEvent, TaskStatus } from '../../domain/task/task.events.js';
import type { TaskRejection } from '../../domain/task/task.rejections.js';
import { endOfWait, type WaitEnd, type WaitName } from '../../domain/task/wait-state.js';
import type { TaskState } from '../../domain/task/task.state.js';
import { unreadable } from '../kernel/application-error.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import type { Outcome } from '../kernel/stream-command.js';
import { receiptOf } from '../kernel/receipt.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import type { UnitOfWork } from '../kernel/unit-of-work.js';
import type { TaskCommand } from '../../domain/task/task.commands.js';
import { TaskStreamCommand } from '../tasks/task-stream-command.js';
import { type LateReport, LateReports } from './late-reports.js';
import { WorkerPresence } from './worker-presence.port.js';
import { parseClaimToken } from './claim-token.js';
import { boundedReport, dependsOnPolicy } from './report-bounds.js';
import { type SettleItem, settlingCommand } from './settlement.js';

export type { ReportedError } from './recorded-error.js';
export type { SettleItem, Verdict } from './settlement.js';

export type SettleOutcome =
  | ({ readonly kind: 'done'; readonly receipt: Receipt; readonly state: TaskStatus } & Went)
  | { readonly kind: 'refused'; readonly rejection: ConstraintRejection };

/** How an attempt goes on after a report. */
interface Went {
  readonly next?: NextStep;
  /** With a wait: how it ended. Absent if the attempt did. */
  readonly waited?: WaitEnd;
}

/** With a completed step, what the claim continues with. */
export interface NextStep {
  readonly step: string;
  readonly lastSuccessfulStep: string | null;
}

/** Workers' verdicts on their attempts. Returns one answer per item, in order; no refusal affects another item. */
export class SettleTasks extends Command<readonly SettleOutcome[]> {
  constructor(
    readonly items: readonly SettleItem[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(SettleTasks)
export class SettleTasksHandler implements ICommandHandler<SettleTasks> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
    private readonly queues: QueueDirectory,
    private readonly lateReports: LateReports,
    private readonly presence: WorkerPresence,
  ) {}

  async execute({ items, context }: SettleTasks): Promise<readonly SettleOutcome[]> {
    const given = { now: this.clock.iso(), by: context.actor };
    const work = items.map((item) => this.workFor(item, given, context.unit));
    const outcomes = await this.runner.runMany(taskDecider, work, context);
    const answers = outcomes.map((outcome, index) => answerOf(items[index]!, work[index]!, outcome));
    outcomes.forEach((outcome, index) => this.noteUnknown(items[index]!, outcome));
    await this.lateReports.record(
      items.flatMap((item, index) => lateReport(item, answers[index]!)),
      context,
    );
    return answers;
  }

  /** It is no event, because it is a fact about the worker that passes, and not about the task. */
  private noteUnknown({ taskId, verdict }: SettleItem, outcome: Outcome<TaskState, TaskEvent, TaskRejection>): void {
    if (verdict.type !== 'return' || !verdict.unknownKind || outcome.kind !== 'accepted') return;
    const [event] = outcome.events;
    if (event?.type !== 'TaskReturned' || outcome.state.status === 'unknown') return;
    const { queue, kind } = outcome.state.task.submission;
    this.presence.doesNotKnow({ queue, kind, worker: event.data.worker, taskId });
  }

  private workFor(
    { taskId, token, verdict, traceparent }: SettleItem,
    { now, by }: Pick<TaskCommand, 'now' | 'by'>,
    unit?: UnitOfWork,
  ): TaskStreamCommand {
    const lease = parseClaimToken(token) ?? NO_CLAIM;
    const under = { now, by, token: lease.token };
    return new TaskStreamCommand({
      taskId,
      load: 'cached',
      ...(traceparent !== undefined && { traceparent }),
      command: (conflictingTaskId, policy, revision) =>
        boundedReport(settlingCommand(verdict, under, policy, conflictingTaskId), policy, revision),
      conditions: { lease },
      failOnKeyConflict: true,
      ...(dependsOnPolicy(verdict) && { queues: this.queues, unit }),
    });
  }
}

const lateReport = ({ taskId, token, verdict }: SettleItem, answer: SettleOutcome): readonly LateReport[] =>
  answer.kind === 'refused' && answer.rejection.code === 'LEASE_LOST' ? [{ taskId, token, report: verdict.type }] : [];

/** Stands for a text that is no token. No attempt has it, so the decider refuses before any lease is looked up. */
const NO_CLAIM = { token: '', secret: '' };

function answerOf(
  { taskId, token, verdict }: SettleItem,
  work: TaskStreamCommand,
  outcome: Outcome<TaskState, TaskEvent, TaskRejection>,
): SettleOutcome {
  switch (outcome.kind) {
    case 'rejected':
      return { kind: 'refused', rejection: outcome.rejection };
    case 'contended':
      return { kind: 'refused', rejection: { code: 'CONTENTION' } };
    case 'failed':
      return { kind: 'refused', rejection: { code: 'COMMAND_FAILED' } };
    case 'unreadable':
      return { kind: 'refused', rejection: unreadable(outcome.error) };
    case 'refused':
      return { kind: 'refused', rejection: work.rejectionFor(outcome) };
    default:
      // The task exists: the decider accepts no command under a claim on an unknown one.
      return {
        kind: 'done',
        receipt: receiptOf(taskId, outcome),
        state: outcome.state.status as TaskStatus,
        ...(verdict.type === 'completeStep' && nextStepOf(outcome.state)),
        ...(verdict.type === 'wait' && waitedIn(outcome.state, verdict, token)),
      };
  }
}

/** A repeated request may come while another worker has the task, which is not told what that one learns. */
function waitedIn(state: TaskState, verdict: WaitName, token: string): Pick<Went, 'waited'> {
  if (state.status !== 'running' || state.lease.token !== parseClaimToken(token)?.token) return {};
  const waited = endOfWait(state.task.waits, verdict);
  return waited === null ? {} : { waited };
}

function nextStepOf(state: TaskState): { readonly next: NextStep } | undefined {
  if (state.status !== 'running' || state.task.nextStep === null) return undefined;
  const { nextStep: step, lastSuccessfulStep } = state.task;
  return { next: { step, lastSuccessfulStep } };
}
