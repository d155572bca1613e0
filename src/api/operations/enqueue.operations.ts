import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Json } from '../../domain/kernel/json.js';
import { Refused } from '../../application/kernel/application-error.js';
import { EnqueueTasks, type EnqueueItem, type EnqueueOutcome } from '../../application/tasks/enqueue-tasks.handler.js';
import type { Answer } from '../answer.js';
import { contextOf, type Caller } from '../caller.js';
import { TaskBatch, TaskSubmission } from '../dto/submission.dto.js';
import { CompiledValidator } from '../input/validator.js';
import { problemOfRejection, type Problem } from '../problem.js';
import { isoTime, queueName } from './parameters.js';
import { newestPosition } from './receipt-answer.js';

export interface EnqueueResult {
  readonly id: string;
  readonly status: 'enqueued' | 'existing' | 'replaced';
  readonly position: string;
  readonly revision: number;
}

export interface TaskBatchResult {
  readonly results: readonly (EnqueueResult | { readonly problem: Problem })[];
  /** The highest of the results; null where every item was refused. */
  readonly position: string | null;
}

const submissions = new CompiledValidator(TaskSubmission);
const batches = new CompiledValidator(TaskBatch);

/** Tasks coming in, for every transport. Arguments are as they came in: they are checked here. */
@Injectable()
export class EnqueueOperations {
  constructor(private readonly commands: CommandBus) {}

  async enqueueTask(queue: string, body: unknown, caller: Caller): Promise<Answer<EnqueueResult>> {
    const item = submissionTo(queue, body);
    const context = contextOf(caller, 'enqueueTask', { queue, body });
    const [outcome] = await this.commands.execute(new EnqueueTasks([item], context));
    if (outcome!.kind === 'refused') throw new Refused(outcome!.rejection);
    const { status, receipt } = outcome!;
    const created = status === 'enqueued' ? { created: `/v1/tasks/${receipt.id}` } : {};
    return { body: resultOf(outcome!), replayed: receipt.replayed, ...created };
  }

  async enqueueTasks(body: unknown, caller: Caller): Promise<Answer<TaskBatchResult>> {
    const { tasks } = batches.of(body);
    const context = contextOf(caller, 'enqueueTasks', { body });
    const items = tasks.map((task) => itemOf(task.queue, task));
    const outcomes = await this.commands.execute(new EnqueueTasks(items, context));
    const replayed = outcomes.some((outcome) => outcome.kind === 'done' && outcome.receipt.replayed);
    return { body: { results: outcomes.map(resultOrProblem), position: newestPosition(outcomes) }, replayed };
  }
}

/** What `enqueueTask` makes of its body. Throws `InvalidInput`. */
export const submissionTo = (queue: string, body: unknown): EnqueueItem =>
  itemOf(queueName(queue), submissions.of(body));

function itemOf(queue: string, { id, dueAt, payload, ...rest }: TaskSubmission): EnqueueItem {
  return {
    ...rest,
    queue,
    taskId: id ?? null,
    ...(dueAt !== undefined && { dueAt: isoTime(dueAt) }),
    ...(payload !== undefined && { payload: payload as Json }),
  };
}

type Done = Extract<EnqueueOutcome, { readonly kind: 'done' }>;

const resultOf = ({ status, receipt: { id, position, revision } }: Done): EnqueueResult => ({
  id,
  status,
  position,
  revision,
});

const resultOrProblem = (outcome: EnqueueOutcome): EnqueueResult | { problem: Problem } =>
  outcome.kind === 'done' ? resultOf(outcome) : { problem: problemOfRejection(outcome.rejection) };
