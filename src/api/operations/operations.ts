import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Step } from '../../application/transactions/run-transaction.handler.js';
import type { Answer } from './answer.js';
import { type Arrived, type Call, checked } from './call.js';
import { operationNamed } from './operation.js';
import { SingleStep } from './single-step.js';

/** What a controller's method answers: a step that may be one of a transaction's, or the answer itself. */
export type Result = Step | Answer<unknown>;

type Controller = Readonly<Record<string, (call: Call) => Result | Promise<Result>>>;

/** The operations that the controllers declare, for callers that do not come over HTTP: by their ids. */
@Injectable()
export class Operations {
  constructor(
    private readonly modules: ModuleRef,
    private readonly singleStep: SingleStep,
  ) {}

  /** Checks the call, carries it out, and answers it. */
  async answer(id: string, arrived: Arrived): Promise<Answer<unknown>> {
    const call = checked(operationNamed(id), arrived);
    return this.finish(call, await this.carryOut(call));
  }

  /** What the call would do, for a transaction to do it with others. */
  stepOf(call: Call): Step {
    return this.carryOut(call) as Step;
  }

  /** Performs what a controller's method left to be done. */
  finish(call: Call, result: Result): Promise<Answer<unknown>> | Answer<unknown> {
    return 'kind' in result ? this.singleStep.perform(result, call) : result;
  }

  private carryOut(call: Call): Result | Promise<Result> {
    const { id, controller } = call.operation;
    return this.modules.get<Controller>(controller as never, { strict: false })[id]!(call);
  }
}
