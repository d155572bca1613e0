import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus, type Command } from '@nestjs/cqrs';
import type { Receipt } from '../../application/kernel/command-context.js';
import { Refused } from '../../application/kernel/application-error.js';
import { GetQueueStats, type QueueStatsView } from '../../projections/queue-stats/queue-stats.queries.js';
import { GetQueue, ListQueues, type QueuePage, type QueueView } from '../../projections/queues/queues.queries.js';
import type { Answer } from '../answer.js';
import { ApiError } from '../api-error.js';
import { contextOf, type Caller } from '../caller.js';
import { ReadQuery } from '../dto/query.dto.js';
import { InvalidInput } from '../input/invalid-input.js';
import { QueryValidator } from '../input/query-validator.js';
import { asInvalidInput, PAGE, pages } from './pages.js';
import { queueName } from './parameters.js';
import { policyChange, QUEUE_COMMANDS, type QueueOperation } from './queue-commands.js';
import { Reads } from './reads.js';
import { definitionAnswer, type DefinitionBody } from './definition-answer.js';
import { receiptAnswer, type ReceiptBody } from './receipt-answer.js';

const reading = new QueryValidator(ReadQuery);

/** Everything about queues, for every transport. Arguments are as they came in: they are checked here. */
@Injectable()
export class QueueOperations {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly reads: Reads,
  ) {}

  async defineQueue(queue: string, body: unknown, caller: Caller): Promise<Answer<DefinitionBody>> {
    const name = queueName(queue);
    const definition = QUEUE_COMMANDS.defineQueue(name, body);
    assertNoVersion(caller.ifMatch);
    return definitionAnswer(await this.commands.execute(definition(contextOf(caller, 'defineQueue', { name, body }))));
  }

  changePolicy(queue: string, body: unknown, caller: Caller): Promise<Answer<ReceiptBody>> {
    const name = queueName(queue);
    const change = policyChange(name, body);
    const ifVersion = versionIn(caller.ifMatch);
    return this.command(change(contextOf(caller, 'changePolicy', { name, body, ifVersion }))(ifVersion));
  }

  pauseQueue(queue: string, body: unknown, caller: Caller): Promise<Answer<ReceiptBody>> {
    return this.change('pauseQueue', queue, body, caller);
  }

  resumeQueue(queue: string, body: unknown, caller: Caller): Promise<Answer<ReceiptBody>> {
    return this.change('resumeQueue', queue, body, caller);
  }

  closeIntake(queue: string, body: unknown, caller: Caller): Promise<Answer<ReceiptBody>> {
    return this.change('closeIntake', queue, body, caller);
  }

  openIntake(queue: string, body: unknown, caller: Caller): Promise<Answer<ReceiptBody>> {
    return this.change('openIntake', queue, body, caller);
  }

  reopenQueue(queue: string, body: unknown, caller: Caller): Promise<Answer<ReceiptBody>> {
    return this.change('reopenQueue', queue, body, caller);
  }

  finishQueue(queue: string, body: unknown, caller: Caller): Promise<Answer<ReceiptBody>> {
    return this.change('finishQueue', queue, body, caller);
  }

  deleteQueue(queue: string, query: unknown, caller: Caller): Promise<Answer<ReceiptBody>> {
    return this.change('deleteQueue', queue, query, caller);
  }

  async getQueue(queue: string, query: unknown): Promise<Answer<QueueView>> {
    const name = queueName(queue);
    const { minPosition } = reading.of(query);
    const answer = await this.reads.from('queues', minPosition, () => this.queueNamed(name));
    return { ...answer, policyVersion: answer.body.policyVersion };
  }

  async getPolicy(queue: string, query: unknown): Promise<Answer<QueueView['policy']>> {
    const { body, ...head } = await this.getQueue(queue, query);
    return { ...head, body: body.policy };
  }

  listQueues(query: unknown): Promise<Answer<QueuePage>> {
    const { minPosition, cursor = null, limit = PAGE } = pages.of(query);
    return this.reads.from('queues', minPosition, () =>
      this.queries.execute(new ListQueues(cursor, limit)).catch(asInvalidInput),
    );
  }

  getQueueStats(queue: string, query: unknown): Promise<Answer<QueueStatsView>> {
    const name = queueName(queue);
    const { minPosition } = reading.of(query);
    return this.reads.from('queue-stats', minPosition, async () =>
      found(name, await this.queries.execute(new GetQueueStats(name))),
    );
  }

  private async queueNamed(name: string): Promise<QueueView> {
    return found(name, await this.queries.execute(new GetQueue(name)));
  }

  private change(
    operation: Exclude<QueueOperation, 'defineQueue'>,
    ...[queue, request, caller]: [queue: string, request: unknown, caller: Caller]
  ): Promise<Answer<ReceiptBody>> {
    const name = queueName(queue);
    const command = QUEUE_COMMANDS[operation](name, request);
    return this.command(command(contextOf(caller, operation, { name, request })));
  }

  private async command(command: Command<Receipt>): Promise<Answer<ReceiptBody>> {
    return receiptAnswer(await this.commands.execute(command));
  }
}

function found<T>(queue: string, view: T | null): T {
  if (view === null) throw new Refused({ code: 'QUEUE_NOT_FOUND', queue });
  return view;
}

/** A definition stands for whatever version there is: a condition would be passed over, and a newer policy replaced. */
function assertNoVersion(ifMatch: string | null): void {
  if (ifMatch === null) return;
  const detail = 'Expected no If-Match, because a definition asks for no version: change the policy with it';
  throw new InvalidInput([{ pointer: '#/headers/if-match', detail }]);
}

/** The policy's version in `If-Match`, a strong tag such as `"3"`. */
function versionIn(ifMatch: string | null): number {
  if (ifMatch === null) {
    throw new ApiError(
      'PRECONDITION_REQUIRED',
      'Expected If-Match with the ETag of the policy as you know it, but got none',
    );
  }
  const version = /^"(\d{1,9})"$/.exec(ifMatch)?.[1];
  if (version !== undefined) return Number(version);
  throw new InvalidInput([
    { pointer: '#/headers/if-match', detail: 'Expected one strong tag, like "3", but got something else' },
  ]);
}
