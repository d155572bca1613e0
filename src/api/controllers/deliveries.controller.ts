import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { StartDelivery } from '../../application/deliveries/start-delivery.handler.js';
import { DeliveryTargets } from '../../application/deliveries/delivery-targets.port.js';
import { DeliveryRequest } from '../dto/delivery.dto.js';
import { DELIVER } from '../access/permissions.js';
import { EnqueueResult } from '../dto/submission.dto.js';
import { CommandEndpoint } from '../http/endpoint.js';
import type { Answer } from '../operations/answer.js';
import { type Call, contextOf } from '../operations/call.js';
import { DeliveryPermit } from '../operations/delivery-permit.js';
import { deliveryOf } from '../operations/delivery.js';
import { enqueueAnswer, type EnqueueResult as Enqueued } from '../operations/outcomes.js';
import { withReason } from '../operations/steps.js';

@ApiTags('deliveries')
@Controller('v1/deliveries')
export class DeliveriesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly targets: DeliveryTargets,
    private readonly permit: DeliveryPermit,
  ) {}

  @Post()
  @CommandEndpoint({
    permission: DELIVER,
    summary: 'Send mail, or call a webhook',
    description:
      'The delivery is a task of the queue `waybill.mail` or `waybill.deliveries`, which is tried for about a day. Retry that task to try again.',
    body: DeliveryRequest,
    answers: EnqueueResult,
    creates: true,
    refuses: ['DRAINING', 'INTAKE_CLOSED', 'QUEUE_FINISHED', 'TASK_EXISTS', 'PAYLOAD_TOO_LARGE'],
  })
  async startDelivery(call: Call<DeliveryRequest>): Promise<Answer<Enqueued>> {
    const { id = null } = call.body;
    const context = withReason(call, contextOf(call));
    this.permit.assert(call, call.body, '');
    const delivery = deliveryOf(call.body, this.targets);
    return enqueueAnswer(await this.commands.execute(new StartDelivery(delivery, id, context)));
  }
}
