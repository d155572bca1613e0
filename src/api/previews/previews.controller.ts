import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { type CommandPreview as Preview, PreviewCommand } from '../../application/previews/preview-command.handler.js';
import { queuesOf } from '../access/grants.js';
import { assertMay } from '../access/permissions.js';
import { QueryEndpoint } from '../http/endpoint.js';
import { InvalidInput } from '../input/invalid-input.js';
import type { Answer } from '../operations/answer.js';
import { type Call, checked } from '../operations/call.js';
import type { Caller } from '../operations/caller.js';
import { type Operation, operationNamed } from '../operations/operation.js';
import { Operations } from '../operations/operations.js';
import { Scopes } from '../operations/scopes.js';
import { CommandPreview, PreviewRequest } from './preview.dto.js';

@ApiTags('previews')
@Controller('v1/previews')
export class PreviewsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly operations: Operations,
    private readonly scopes: Scopes,
  ) {}

  @Post()
  @QueryEndpoint({
    // The permission that the command needs, and for which queue, is checked when it is known.
    permission: ['enqueue', 'deliver', 'operate'],
    queues: () => [],
    summary: 'Show what a command would do',
    description:
      'The command is decided as if it were given now, and nothing is recorded. If it would be refused, the answer is its refusal. ' +
      'For a command for many tasks, `POST /v1/operations` takes `preview`.',
    body: PreviewRequest,
    answers: CommandPreview,
    refuses: [
      'MALFORMED_JSON',
      'REQUEST_TIMEOUT',
      'LENGTH_REQUIRED',
      'BODY_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'TASK_NOT_FOUND',
      'QUEUE_NOT_FOUND',
      'ILLEGAL_TRANSITION',
      'NOT_PREVIEWED',
      'CONTENTION',
      'COMMAND_FAILED',
      'STREAM_UNREADABLE',
    ],
  })
  async previewCommand(call: Call<PreviewRequest>): Promise<Answer<CommandPreview>> {
    const { caller } = call;
    const operation = operationNamed(call.body.operation);
    if (caller.principal) assertMay(caller.principal, operation.permissions);
    const [previewed] = await this.scopes.admitted([{ call: callIn(call, operation) }]);
    const run = new PreviewCommand((unit) =>
      this.operations.perform({ ...previewed!, caller: { ...caller, unit, idempotencyKey: null } }),
    );
    const preview = await this.commands.execute(run).catch(async (error: unknown) => {
      throw await this.scopes.visibleError(previewed!, error);
    });
    return { body: shown(preview, mayReadAll(caller)) };
  }
}

function callIn({ body: { on, ifVersion, body }, caller, signal }: Call<PreviewRequest>, of: Operation): Call {
  const given = body ?? {};
  const version = versionOf(of, ifVersion);
  const arrived = { on: targetOf(of, on), body: given, query: given, caller, signal };
  return { ...within(() => checked(of, arrived, () => undefined)), ifVersion: version };
}

function targetOf({ id, on: kind }: Operation, on: string | undefined): string {
  if (kind !== null && on === undefined) throw fault('/on', `Expected the ${kind} that '${id}' is on, but got none`);
  if (kind === null && on !== undefined) throw fault('/on', `Expected none, because '${id}' is on nothing`);
  return on ?? '';
}

function versionOf({ id, ifMatch }: Operation, version: number | undefined): number | undefined {
  if (ifMatch === 'required' && version === undefined)
    throw fault('/ifVersion', 'Expected a value for this operation, but got none');
  if (ifMatch !== 'required' && version !== undefined)
    throw fault('/ifVersion', `Expected no version, because '${id}' takes none`);
  return version;
}

/** Reports faults of the command with their place in the whole request. */
function within<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    throw new InvalidInput(error.faults.map(({ pointer, detail }) => ({ pointer: placeOf(pointer), detail })));
  }
}

const placeOf = (pointer: string): string =>
  pointer.startsWith('#/path/') ? '/on' : `/body${pointer.replace(/^#\/query/, '')}`;

const fault = (pointer: string, detail: string): InvalidInput => new InvalidInput([{ pointer, detail }]);

const mayReadAll = ({ principal }: Caller): boolean =>
  principal === null || queuesOf(principal.may, ['read']) === 'all';

function shown({ position, changes, waiters, triggers }: Preview, isWhole: boolean): CommandPreview {
  return {
    position: String(position),
    changes: changes.map(({ events, ...change }) => ({
      ...change,
      events: events.map(({ type, version, data }) => ({ type, version, ...(isWhole && { data }) })),
    })),
    takenAlong: waiters.aborted,
    unblocked: waiters.unblocked,
    ...(isWhole && { triggers }),
  };
}
