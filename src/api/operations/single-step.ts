import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { SettleTasks } from '../../application/claims/settle-tasks.handler.js';
import { Refused } from '../../application/kernel/application-error.js';
import { EnqueueTasks } from '../../application/tasks/enqueue-tasks.handler.js';
import type { Step } from '../../application/transactions/run-transaction.handler.js';
import type { Answer } from './answer.js';
import { type Call, contextOf } from './call.js';
import { enqueueAnswer, settlementAnswer } from './outcomes.js';

type StepOf<K extends Step['kind']> = Extract<Step, { readonly kind: K }>;

/** Performs a step by itself and returns its answer. Throws `Refused`. */
@Injectable()
export class SingleStep {
  constructor(private readonly commands: CommandBus) {}

  perform(step: Step, call: Call): Promise<Answer<unknown>> {
    if (step.kind === 'enqueue') return this.enqueue(step, call);
    return step.kind === 'settle' ? this.settle(step, call) : this.operate(step, call);
  }

  private async enqueue({ item }: StepOf<'enqueue'>, call: Call): Promise<Answer<unknown>> {
    const [outcome] = await this.commands.execute(new EnqueueTasks([item], contextOf(call)));
    if (outcome!.kind === 'refused') throw new Refused(outcome!.rejection);
    return enqueueAnswer(outcome!);
  }

  private async settle({ item }: StepOf<'settle'>, call: Call): Promise<Answer<unknown>> {
    const [outcome] = await this.commands.execute(new SettleTasks([item], contextOf(call)));
    if (outcome!.kind === 'refused') throw new Refused(outcome!.rejection);
    return settlementAnswer(outcome!);
  }

  private async operate({ command }: StepOf<'operate'>, call: Call): Promise<Answer<unknown>> {
    return call.operation.answerTo(await this.commands.execute(command(contextOf(call))));
  }
}
