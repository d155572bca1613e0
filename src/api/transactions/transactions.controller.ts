import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { RunTransaction } from '../../application/transactions/run-transaction.handler.js';
import { Refused } from '../../application/kernel/application-error.js';
import { assertMay } from '../access/permissions.js';
import { CommandEndpoint } from '../http/endpoint.js';
import { InvalidInput } from '../input/invalid-input.js';
import { storableAt } from '../input/storable.js';
import { type Call, checked, contextOf } from '../operations/call.js';
import { CommandLog } from '../operations/command-log.js';
import { type Operation, operationNamed } from '../operations/operation.js';
import { Operations } from '../operations/operations.js';
import { Scopes } from '../operations/scopes.js';
import { Transaction, type TransactionCommand, TransactionReceipt } from './transaction.dto.js';
import { renameIn } from '../operations/queue-ids.js';

@ApiTags('transactions')
@Controller('v1')
export class TransactionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly operations: Operations,
    private readonly scopes: Scopes,
    private readonly log: CommandLog,
  ) {}

  @Post('transactions')
  @CommandEndpoint({
    // The permission that each command needs, and for which queue, is checked command by command.
    permission: ['enqueue', 'work', 'operate'],
    queues: () => [],
    submits: ({ body }: Call<Transaction>) =>
      body.commands.filter(({ operation }) => operation === 'enqueueTask').length,
    renameQueues: ({ body }: Call<Transaction>, name) => renameIn(body.commands, name),
    hot: true,
    summary: 'Run up to 1000 commands together or not at all',
    description:
      'Each command sees the effects of those before it. Nothing is visible, and no worker wakes up, before all are recorded. ' +
      'If a command is refused, the answer is its refusal with its `index`, and nothing is recorded.',
    body: Transaction,
    mends: storableAt('commands', '*', 'body', 'error'),
    answers: TransactionReceipt,
    refuses: [
      'TASK_NOT_FOUND',
      'QUEUE_NOT_FOUND',
      'ILLEGAL_TRANSITION',
      'KEY_ALREADY_WAITING',
      'REFERENCE_IN_USE',
      'LEASE_LOST',
      'PAYLOAD_TOO_LARGE',
      'PAYLOAD_INVALID',
      'HISTORY_FULL',
      'TRANSACTION_TOO_LARGE',
    ],
  })
  async runTransaction(call: Call<Transaction>) {
    const { commands } = call.body;
    const { principal } = call.caller;
    if (principal)
      commands.forEach(({ operation }, index) =>
        assertMay(principal, operationNamed(operation).permissions, { index }),
      );
    const given = commands.map((command, index) => callAt(command, index, call));
    const calls = await this.scopes.admitted(given.map((one, index) => ({ call: one, data: { index } })));
    const steps = calls.map((one) => this.operations.stepOf(one));
    const transaction = new RunTransaction(steps, contextOf(call));
    const { results, position, replayed } = await this.commands
      .execute(transaction)
      .catch((error: unknown) => this.refused(calls, error));
    for (const one of calls) this.log.carriedOut(one);
    return { body: { results, position }, replayed };
  }

  /** A refused report tells no more of a task than its own operation does. */
  private async refused(calls: readonly Call[], error: unknown): Promise<never> {
    const call = error instanceof Refused && error.index !== null ? calls[error.index] : undefined;
    throw call ? await this.scopes.visibleError(call, error) : error;
  }
}

function callAt(command: TransactionCommand, index: number, { caller, signal }: Call): Call {
  const operation = operationNamed(command.operation);
  const path = `/commands/${index}`;
  const version = (): number | undefined => versionOf(operation, command, path);
  if (operation.ifMatch !== 'required') version();
  const on = targetOf(operation, command, path);
  const { body = {} } = command;
  const call = within(`${path}/body`, () =>
    checked(operation, { on, body, query: body, caller, signal }, () => undefined),
  );
  return { ...call, ifVersion: version() };
}

/** What the command is on. Refuses the name of what it is not on: it would be ignored, as the `id` of a new task. */
function targetOf({ on }: Operation, command: TransactionCommand, path: string): string {
  const [named, other] = on === 'queue' ? (['queue', 'id'] as const) : (['id', 'queue'] as const);
  const target = given(command[named], `${path}/${named}`);
  if (command[other] === undefined) return target;
  const place = command.operation === 'enqueueTask' ? ': the id of a new task belongs into its body' : '';
  const detail = `Expected no ${other}, because '${command.operation}' is on a ${on}${place}`;
  throw new InvalidInput([{ pointer: `${path}/${other}`, detail }]);
}

function given<T>(value: T | undefined, pointer: string): T {
  if (value !== undefined) return value;
  throw new InvalidInput([{ pointer, detail: 'Expected a value for this operation, but got none' }]);
}

/**
 * Refuses a version for an operation that takes none. Otherwise it would be ignored, and its sender would believe that
 * it had an effect.
 */
function versionOf({ ifMatch }: Operation, { ifVersion }: TransactionCommand, path: string): number | undefined {
  if (ifMatch === 'required') return given(ifVersion, `${path}/ifVersion`);
  if (ifVersion === undefined) return undefined;
  const detail = "Expected no version, because only 'changePolicy' takes one";
  throw new InvalidInput([{ pointer: `${path}/ifVersion`, detail }]);
}

/** Reports faults of a command's body with their place in the whole request. */
function within<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    throw new InvalidInput(
      error.faults.map(({ pointer, detail }) => ({ pointer: path + pointer.replace(/^#\/query/, ''), detail })),
    );
  }
}
