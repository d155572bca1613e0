import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Refused } from '../../application/kernel/application-error.js';
import { AcceptLoss, RetireKey } from '../../application/notary/operate-log.handler.js';
import { GetLog } from '../../projections/seals/get-log.query.js';
import { GetTaskProof } from '../../projections/seals/get-task-proof.query.js';
import { ListLogKeys } from '../../projections/seals/list-log-keys.query.js';
import { ListSeals } from '../../projections/seals/list-seals.query.js';
import {
  LogKeyList,
  LogView,
  LossRequest,
  NewKeyRequest,
  ProofQuery,
  SealPage,
  SealQuery,
  TaskProof,
} from '../dto/log.dto.js';
import { Receipt } from '../dto/settlement.dto.js';
import { CommandEndpoint, QueryEndpoint } from '../http/endpoint.js';
import { type Call, contextOf } from '../operations/call.js';
import { receiptAnswer } from '../operations/outcomes.js';
import { asInvalidInput, PAGE } from '../operations/pages.js';
import { asProblem, assertSeesAll } from '../operations/proofs.js';
import { Scopes } from '../operations/scopes.js';
import { withReason } from '../operations/steps.js';

/** How far the log is sealed, and by which seals. */
@ApiTags('history')
@Controller('v1')
export class LogController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly scopes: Scopes,
  ) {}

  @Get('log')
  @QueryEndpoint({
    permission: ['read', 'audit'],
    summary: 'Show how far the log is sealed',
    onlyPresent: '`GET /v1/log/seals` has the seals of before',
    answers: LogView,
  })
  async getLog() {
    return { body: await this.queries.execute(new GetLog()) };
  }

  @Get('log/seals')
  @QueryEndpoint({
    permission: ['read', 'audit'],
    summary: 'List the seals of the log',
    onlyPresent: 'each seal says when it was made',
    description: 'The newest first.',
    query: SealQuery,
    answers: SealPage,
  })
  async listSeals({ query }: Call<unknown, SealQuery>) {
    const { cursor = null, limit = PAGE } = query;
    return { body: await this.queries.execute(new ListSeals(cursor, limit)).catch(asInvalidInput) };
  }

  @Post('log/losses')
  @CommandEndpoint({
    permission: 'operate',
    summary: 'Accept that a part of the sealed log is lost',
    description:
      'Such as when a backup was restored. The notary then seals the log as it is now, under the next name. The event names the last seal of the log before, and stays in the log, as the reason does. Seals of the log before go on to contradict this one.',
    body: LossRequest,
    answers: Receipt,
    refuses: ['LOSS_NOT_FOUND'],
  })
  async acceptLoss(call: Call<LossRequest>) {
    const context = withReason(call, contextOf(call));
    return receiptAnswer(await this.commands.execute(new AcceptLoss(call.body.size, context)));
  }

  @Get('log/keys')
  @QueryEndpoint({
    permission: ['read', 'audit'],
    summary: 'List the keys of the log',
    onlyPresent: 'each key says when it was retired',
    description:
      'Of this log and of those before it. Whoever verifies with a key that the service names believes the service.',
    answers: LogKeyList,
  })
  async listLogKeys() {
    return { body: await this.queries.execute(new ListLogKeys()) };
  }

  @Post('log/keys')
  @CommandEndpoint({
    permission: 'operate',
    summary: 'Retire the key of the log, and have the notary make another one',
    description:
      'Such as when somebody else has the secret key. The notary signs the log up to this event with it for the last time; this last seal names the next key. It then seals on with that, under the next name. Proofs and seals under the key before stay valid.',
    body: NewKeyRequest,
    answers: Receipt,
    refuses: ['LOG_NOT_SEALED'],
  })
  async retireLogKey(call: Call<NewKeyRequest>) {
    const context = withReason(call, contextOf(call));
    return receiptAnswer(await this.commands.execute(new RetireKey(call.body.log, context)));
  }

  @Get('tasks/:id/proof')
  @QueryEndpoint({
    on: 'task',
    waits: true,
    summary: 'Prove that the events of a task are in the sealed log',
    onlyPresent: 'a proof names the seal that it is of',
    description:
      'For whoever takes it along: `waybill verify` checks it without a service. Waits up to 20 s for the seal that covers the newest event. It does not prove that nothing followed.',
    query: ProofQuery,
    answers: TaskProof,
    refuses: ['TASK_NOT_FOUND', 'STREAM_UNREADABLE', 'NOT_SEALED'],
  })
  async getTaskProof(call: Call<unknown, ProofQuery>) {
    const { on: task, query, signal } = call;
    const asked = new GetTaskProof(task, query.private ?? false, signal);
    const proof = await this.queries.execute(asked).catch(asProblem);
    if (proof === null) throw new Refused({ code: 'TASK_NOT_FOUND' });
    await assertSeesAll(proof.segments, this.scopes, call);
    return { body: proof };
  }
}
