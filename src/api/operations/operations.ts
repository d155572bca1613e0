import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { EventStore } from '../../application/kernel/event-store.port.js';
import type { Step } from '../../application/transactions/run-transaction.handler.js';
import type { Answer } from './answer.js';
import { type Arrived, type Call, checked } from './call.js';
import { CommandLog } from './command-log.js';
import { operationNamed } from './operation.js';
import { QueueIds } from './queue-ids.js';
import { SingleStep } from './single-step.js';

/** What a controller's method returns: a step, which may be part of a transaction, or the answer itself. */
export type Result = Step | Answer<unknown>;

type Controller = Readonly<Record<string, (call: Call) => Result | Promise<Result>>>;

/** The operations that the controllers declare, by id, for callers that do not use HTTP. */
@Injectable()
export class Operations {
  constructor(
    private readonly modules: ModuleRef,
    private readonly singleStep: SingleStep,
    private readonly queueIds: QueueIds,
    private readonly store: EventStore,
    private readonly log: CommandLog,
  ) {}

  /** Validates the call, carries it out and returns its answer. */
  async answer(id: string, arrived: Arrived): Promise<Answer<unknown>> {
    const arrivedCall = checked(operationNamed(id), arrived);
    const call = QueueIds.areIn(arrivedCall) ? (await this.queueIds.replacedIn([arrivedCall]))[0]! : arrivedCall;
    return this.finish(call, await this.carryOut(call));
  }

  /** The step that the call would perform, for a transaction to perform together with others. */
  stepOf(call: Call): Step {
    return this.carryOut(call) as Step;
  }

  /** Performs the call without making an answer of it. */
  async perform(call: Call): Promise<void> {
    const result = await this.carryOut(call);
    if ('kind' in result) await this.singleStep.perform(result, call);
  }

  /** The answer of what a controller's method returned, after performing it if it is a step. */
  async finish(call: Call, result: Result): Promise<Answer<unknown>> {
    const answer = 'kind' in result ? await this.singleStep.perform(result, call) : result;
    this.log.carriedOut(call);
    return call.operation.idempotency === 'none' ? answer : this.sayingWhetherIndexed(answer);
  }

  /** An answer that could not wait for the index says so. */
  private async sayingWhetherIndexed(answer: Answer<unknown>): Promise<Answer<unknown>> {
    const body = answer.body as { readonly position?: string | null };
    if (body.position == null || (await this.store.isIndexed(BigInt(body.position)))) return answer;
    return { ...answer, body: { ...body, indexed: false } };
  }

  private carryOut(call: Call): Result | Promise<Result> {
    const { id, controller } = call.operation;
    return this.modules.get<Controller>(controller as never, { strict: false })[id]!(call);
  }
}
