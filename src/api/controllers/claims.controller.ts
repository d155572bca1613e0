import { Controller, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { copyOf } from '../../application/batches/rerun-ids.js';
import { CheckLeases, type LeaseCheck } from '../../application/claims/check-leases.handler.js';
import { ExtendLeases, type LeaseExtension } from '../../application/claims/extend-leases.handler.js';
import { Refused } from '../../application/kernel/application-error.js';
import { StartTask } from '../../application/claims/start-task.handler.js';
import { GetTask } from '../../projections/tasks/tasks.queries.js';
import type { Answer } from '../operations/answer.js';
import { storableAt } from '../input/storable.js';
import { assertReports } from '../operations/progress.js';
import {
  CheckBatch,
  CheckManyResult,
  ClaimRequest,
  ClaimResult,
  ExtendMany,
  ExtendManyResult,
  ExtendedLease,
  SingleHeartbeat,
  StartedTask,
} from '../dto/claim.dto.js';
import { TaskStart } from '../dto/submission.dto.js';
import { CommandEndpoint, WorkerEndpoint } from '../http/endpoint.js';
import { SUBMISSION_REFUSALS, submissionItem } from '../operations/submission.js';
import { type Call, contextOf } from '../operations/call.js';
import { Claiming, limitOf } from '../operations/claiming.js';
import { renameIn } from '../operations/queue-ids.js';

@ApiTags('workers')
@Controller('v1')
export class ClaimsController {
  constructor(
    private readonly claiming: Claiming,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('queues/:queue/claims')
  @WorkerEndpoint({
    on: 'queue',
    hot: true,
    waits: true,
    summary: 'Claim tasks',
    description:
      'Waits up to `waitMs` for a task. An empty answer is no error; one for an API key that may run no more tasks is 429.',
    body: ClaimRequest,
    answers: ClaimResult,
    refuses: [
      'QUEUE_NOT_FOUND',
      'CLAIM_ID_REUSED',
      'QUEUE_RESERVED',
      'TOO_MANY_WAITING',
      'HOLDER_FULL',
      'STEP_UNKNOWN',
    ],
  })
  async claimTasks(call: Call<ClaimRequest>) {
    return { body: await this.claiming.claim(call, call.body.waitMs ?? 0) };
  }

  @Post('tasks/start')
  @CommandEndpoint({
    permission: 'enqueue',
    idempotency: 'either',
    summary: 'Start a task at once',
    queues: ({ body }: Call<TaskStart>) => [body.queue],
    renameQueues: ({ body }: Call<TaskStart>, name) => renameIn([body], name),
    submits: () => 1,
    description:
      'Creates a task and gives it to the worker that asks, which runs it without waiting for its turn. Repeating it under the same `Idempotency-Key` returns the first answer, also after the task has ended: with the header `Idempotent-Replayed`, extend the lease before you run the task, which is refused if the claim is over. Repeating it with the same id and content returns the same lease while that stands, and is refused afterwards. If the client of a start with neither leaves before the answer is written, the task is returned to its queue.',
    body: TaskStart,
    answers: StartedTask,
    refuses: [
      ...SUBMISSION_REFUSALS,
      'START_NOT_ALLOWED',
      'KEY_BUSY',
      'HOLD_IN_FORCE',
      'HOLDER_FULL',
      'TASK_ALREADY_CLAIMED',
      'ILLEGAL_TRANSITION',
      'CLAIM_ID_REUSED',
    ],
  })
  async startTask(call: Call<TaskStart>) {
    const { queue, worker, server = worker, build, leaseMs = null, ...content } = call.body;
    const item = submissionItem(queue, content, '');
    const context = contextOf(call, worker);
    const request = { item, worker, server, build, leaseMs, context, ...limitOf(call) };
    const { replayed, ...body } = await this.commands.execute(new StartTask(request));
    // Only who named the task, or its request, can repeat the start and get the lease.
    if (content.id === undefined && context.idempotencyKey === undefined)
      await this.claiming.giveBackUnread(call, body.task.taskId, [body.task]);
    return { body, replayed };
  }

  @Post('tasks/:id/extend')
  @WorkerEndpoint({
    on: 'task',
    hot: true,
    leased: true,
    summary: 'Extend the lease of a task',
    body: SingleHeartbeat,
    mends: storableAt('log'),
    answers: ExtendedLease,
    refuses: ['TASK_NOT_FOUND', 'LEASE_LOST'],
  })
  async extendLease(call: Call<SingleHeartbeat>) {
    const { on: taskId, body } = call;
    assertReports(body, '');
    const { token, progress, log } = body;
    const item = { taskId, token, progress, log };
    const [extension] = await this.commands.execute(new ExtendLeases([item], contextOf(call)));
    if (extension!.kind === 'lost') throw await this.refusalOf(taskId);
    return { body: extension! };
  }

  @Post('leases/extend')
  @WorkerEndpoint({
    hot: true,
    leased: true,
    summary: 'Extend up to 1000 leases',
    body: ExtendMany,
    mends: storableAt('items', '*', 'log'),
    answers: ExtendManyResult,
  })
  async extendLeases(call: Call<ExtendMany>): Promise<Answer<{ results: readonly LeaseExtension[] }>> {
    call.body.items.forEach((item, at) => assertReports(item, `/items/${at}`));
    return { body: { results: await this.commands.execute(new ExtendLeases(call.body.items, contextOf(call))) } };
  }

  @Post('leases/check')
  @WorkerEndpoint({
    hot: true,
    leased: true,
    summary: 'Ask about up to 1000 leases',
    description:
      'Tells whether each lease stands and whether its worker must stop, and extends none. Workers whose leases are long ask every few seconds, so that a cancellation does not wait for a heartbeat.',
    body: CheckBatch,
    answers: CheckManyResult,
  })
  async checkLeases(call: Call<CheckBatch>): Promise<Answer<{ results: readonly LeaseCheck[] }>> {
    return { body: { results: await this.commands.execute(new CheckLeases(call.body.items)) } };
  }

  /** A failed extension gives no reason. Looks up who has the task now, for the refusal. */
  private async refusalOf(id: string): Promise<Refused> {
    const task = await this.queries.execute(new GetTask(id, copyOf));
    if (!task) return new Refused({ code: 'TASK_NOT_FOUND' });
    const { state, attempt, worker } = task;
    return new Refused({ code: 'LEASE_LOST', state, attempt, heldBy: state === 'running' ? worker : null });
  }
}
