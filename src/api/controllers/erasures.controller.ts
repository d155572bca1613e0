import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { StartErasure } from '../../application/erasures/start-erasure.handler.js';
import { Refused } from '../../application/kernel/application-error.js';
import { GetErasureCertificate } from '../../projections/seals/get-erasure-certificate.query.js';
import { CertificateQuery, ErasureCertificate, ErasureRequest, StartedErasure } from '../dto/erasure.dto.js';
import { CommandEndpoint, QueryEndpoint } from '../http/endpoint.js';
import type { Answer } from '../operations/answer.js';
import { type Call, contextOf } from '../operations/call.js';
import { subjectIn } from '../operations/erasure.js';
import { asProblem, assertSeesAll } from '../operations/proofs.js';
import { renameIn } from '../operations/queue-ids.js';
import { Scopes } from '../operations/scopes.js';
import { withReason } from '../operations/steps.js';

@ApiTags('tasks')
@Controller('v1/erasures')
export class ErasuresController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly scopes: Scopes,
  ) {}

  @Post()
  @CommandEndpoint({
    permission: 'erase',
    // It has an own one, which counts the tasks.
    preview: false,
    renameQueues: ({ body }: Call<ErasureRequest>, name) => renameIn([body], name),
    summary: 'Erase what the tasks of a subject were about',
    description:
      'The private halves of their events are erased: payloads, results, data, errors, keys, references, labels and descriptions, with what lists have of them. What happened stays, and so do the seals of the log. The erasure is a task of the queue `waybill.erasures`, with progress and a result that counts the refusals. Cancel that task to stop it. An API key needs to be for all queues.',
    body: ErasureRequest,
    answers: StartedErasure,
    refuses: [
      'ERASURE_NOT_POSSIBLE',
      'ERASURE_FORBIDDEN',
      'NO_TASK_MATCHES',
      'DRAINING',
      'INTAKE_CLOSED',
      'QUEUE_FINISHED',
    ],
  })
  async startErasure(call: Call<ErasureRequest>): Promise<Answer<StartedErasure>> {
    const { abortOpen = false, preview: isPreview = false } = call.body;
    const context = withReason(call, contextOf(call));
    const order = new StartErasure(subjectIn(call.body), { abortOpen }, isPreview, context);
    const { receipt, ...counted } = await this.commands.execute(order);
    if (receipt === null) return { body: { ...counted, id: null, position: null } };
    return { body: { ...counted, id: receipt.id, position: receipt.position }, replayed: receipt.replayed };
  }

  @Get(':id/certificate')
  @QueryEndpoint({
    on: 'task',
    waits: true,
    permission: ['erase', 'audit'],
    summary: 'Certify that an erasure was carried out',
    onlyPresent: 'a certificate names the seals that it is of',
    description:
      'For whoever takes it along: `waybill verify` checks it without a service. Waits up to 20 s for the seal that covers the end of the erasure. It names where copies may be, and does not prove that there are none.',
    query: CertificateQuery,
    answers: ErasureCertificate,
    refuses: ['TASK_NOT_FOUND', 'STREAM_UNREADABLE', 'NOT_SEALED', 'ERASURE_NOT_DONE'],
  })
  async getErasureCertificate(call: Call<unknown, CertificateQuery>) {
    const { on: erasure, query, signal } = call;
    const asked = new GetErasureCertificate(erasure, query.after ?? null, signal);
    const certificate = await this.queries.execute(asked).catch(asProblem);
    if (certificate === null) throw new Refused({ code: 'TASK_NOT_FOUND' });
    await assertSeesAll(certificate.segments, this.scopes, call);
    return { body: certificate };
  }
}
