import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { newId } from '../../application/kernel/new-id.js';
import { Refused } from '../../application/kernel/application-error.js';
import { ClaimTasks, type ClaimedTask } from '../../application/claims/claim-tasks.handler.js';
import { ExtendLeases, type LeaseExtension } from '../../application/claims/extend-leases.handler.js';
import { GetTask } from '../../projections/tasks/tasks.queries.js';
import type { Answer } from '../answer.js';
import { type RefusalView, refusalView } from '../claim-refusal.js';
import { contextOf, type Caller } from '../caller.js';
import { ClaimRequest, ExtendBatch, LeaseProof } from '../dto/claim.dto.js';
import { CompiledValidator } from '../input/validator.js';
import { queueName, taskId } from './parameters.js';

export interface ClaimBody {
  readonly tasks: readonly ClaimedTask[];
  readonly position: string | null;
  readonly refusal?: RefusalView;
}

const claims = new CompiledValidator(ClaimRequest);
const extensions = new CompiledValidator(ExtendBatch);
const proofs = new CompiledValidator(LeaseProof);

/** Workers taking tasks and keeping them, for every transport. Arguments are as they came in: they are checked here. */
@Injectable()
export class ClaimOperations {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** `signal` aborts when the caller no longer listens: a claim that waits then gives up. */
  async claimTasks(queue: string, body: unknown, caller: Caller, signal: AbortSignal): Promise<Answer<ClaimBody>> {
    const name = queueName(queue);
    const { worker, server = worker, max = 1, waitMs = 0, leaseMs = null, claimId = newId() } = claims.of(body);
    const context = contextOf(caller, 'claimTasks', { name, body }, worker);
    const { tasks, position, refusal } = await this.commands.execute(
      new ClaimTasks({ queue: name, worker, server, max, waitMs, leaseMs, claimId, signal, context }),
    );
    return { body: { tasks, position, ...(refusal && { refusal: refusalView(name, refusal) }) } };
  }

  async extendLeases(body: unknown, caller: Caller): Promise<Answer<{ results: readonly LeaseExtension[] }>> {
    const { items } = extensions.of(body);
    return {
      body: { results: await this.commands.execute(new ExtendLeases(items, contextOf(caller, 'extendLeases', items))) },
    };
  }

  async extendLease(id: string, body: unknown, caller: Caller): Promise<Answer<LeaseExtension>> {
    const item = { taskId: taskId(id), token: proofs.of(body).token };
    const [extension] = await this.commands.execute(new ExtendLeases([item], contextOf(caller, 'extendLease', item)));
    if (extension!.kind === 'lost') throw await this.refusalOf(item.taskId);
    return { body: extension! };
  }

  /** An extension that failed only says so; who has the task now is looked up for the refusal. */
  private async refusalOf(id: string): Promise<Refused> {
    const task = await this.queries.execute(new GetTask(id));
    if (!task) return new Refused({ code: 'TASK_NOT_FOUND' });
    const { state, attempt, worker } = task;
    return new Refused({ code: 'LEASE_LOST', state, attempt, heldBy: state === 'running' ? worker : null });
  }
}
