import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Refused } from '../../application/kernel/application-error.js';
import { Clock } from '../../application/kernel/clock.port.js';
import { TakeDelivery, type TakenDelivery as Taken } from '../../application/triggers/take-delivery.handler.js';
import { TriggerStates } from '../../application/triggers/trigger-states.port.js';
import { NAME } from '../../domain/kernel/patterns.js';
import type { DeliveryTrigger } from '../../domain/trigger/trigger.events.js';
import { InboundSecrets } from '../access/inbound-secrets.js';
import { verdictOn } from '../access/inbound-signature.js';
import { RefusedKeys } from '../access/refused-keys.js';
import { TakenDelivery } from '../dto/trigger.dto.js';
import { refusals, SignedRequest } from '../http/endpoint.js';
import type { WaybillHttpAdapter } from '../http/http-adapter.js';
import { deliveryIn } from '../http/inbound-delivery.js';
import { ApiError } from '../problems/api-error.js';

/** The most bytes of a delivery. GitHub and Stripe send less, as a rule. */
const MOST_BYTES = 256 * 1024;

/** Seconds until a sender should repeat what is not taken now. */
const RETRY_AFTER = { 'retry-after': '30' };

type Inbound = FastifyRequest<{ Params: { readonly trigger: string } }>;

/**
 * Takes what others deliver: no operation, because its callers are no clients of Waybill. They have no API key, and sign the bytes of the
 * body instead.
 */
@ApiTags('triggers')
@Controller('v1/triggers')
export class InboundController {
  private readonly refused = new RefusedKeys(['a signature', 'signatures']);

  constructor(
    private readonly commands: CommandBus,
    private readonly triggers: TriggerStates,
    private readonly secrets: InboundSecrets,
    private readonly clock: Clock,
    private readonly server: HttpAdapterHost<WaybillHttpAdapter>,
  ) {}

  @Post(':trigger/deliveries')
  @SignedRequest(MOST_BYTES)
  @HttpCode(200)
  @ApiOperation({
    summary: 'Deliver to a trigger',
    description:
      'For services that sign what they send, as Standard Webhooks, GitHub or Stripe do. Needs no API key. The trigger makes a task of each delivery, once for each id of a delivery. Whoever does not sign as its definition says gets one answer, whether or not there is such a trigger.',
  })
  @ApiParam({ name: 'trigger', required: true, schema: { type: 'string' } })
  @ApiBody({ required: true, schema: { description: 'Any JSON, of at most 256 KiB.' } })
  @ApiResponse({ status: 200, description: 'A task was made of it, now or before.', type: TakenDelivery })
  @refusals([
    'INVALID_INPUT',
    'MALFORMED_JSON',
    'SIGNATURE_REFUSED',
    'FORBIDDEN',
    'REQUEST_TIMEOUT',
    'BODY_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'TOO_MANY_REFUSED_KEYS',
    'QUEUE_NOT_FOUND',
    'QUEUE_FINISHED',
    'TASK_EXISTS',
    'EVENT_TOO_LARGE',
    'INTERNAL_ERROR',
    'DELIVERY_DEFERRED',
    'CONTENTION',
    'STORE_UNAVAILABLE',
    'OVERLOADED',
    'SHUTTING_DOWN',
  ])
  async takeDelivery(@Req() request: Inbound): Promise<TakenDelivery> {
    const { trigger } = request.params;
    const { definition, id } = await this.signed(request);
    const counts = this.server.httpAdapter.inbound;
    try {
      const delivery = deliveryIn(arrived(request), definition.delivery, id);
      const taken = await this.take(new TakeDelivery(trigger, definition, delivery, request.id));
      counts.add(trigger, taken.isNew ? 'taken' : 'repeated');
      return taken;
    } catch (error) {
      counts.add(trigger, 'refused');
      throw error;
    }
  }

  /** The definition under which the request is signed. Throws `SIGNATURE_REFUSED`. */
  private async signed(
    request: Inbound,
  ): Promise<{ readonly definition: DeliveryTrigger; readonly id: string | null }> {
    const definition = await this.definitionOf(request.params.trigger);
    const { scheme, secret } = definition?.delivery ?? UNKNOWN;
    const keys = definition ? this.secrets.keysOf(secret, scheme) : [];
    const verdict = verdictOn(arrived(request), scheme, keys, this.clock.now().getTime());
    if (definition && !('fault' in verdict)) return { definition, id: verdict.id };
    this.server.httpAdapter.inbound.add('', 'unsigned');
    const why =
      definition && 'fault' in verdict
        ? `trigger '${request.params.trigger}': ${verdict.fault}`
        : 'there is no such trigger';
    this.refused.add(request, `: ${why}`);
    throw new ApiError('SIGNATURE_REFUSED', NOT_SIGNED, { 'www-authenticate': 'Signature' });
  }

  /** Null unless an enabled trigger of this name takes deliveries. */
  private async definitionOf(trigger: string): Promise<DeliveryTrigger | null> {
    const state = NAME.test(trigger) ? (await this.triggers.named(trigger))?.state : undefined;
    return state?.status === 'enabled' && 'delivery' in state.definition ? state.definition : null;
  }

  /** Senders repeat what is answered by 503. Who drains the system, and why, is none of their business. */
  private async take(command: TakeDelivery): Promise<Taken> {
    try {
      return await this.commands.execute(command);
    } catch (error) {
      if (!(error instanceof Refused) || !LATER.has(error.rejection.code)) throw error;
      throw new ApiError(
        'DELIVERY_DEFERRED',
        'Expected to take the delivery, but no new tasks are taken now',
        RETRY_AFTER,
      );
    }
  }
}

/** For what is no trigger, so that it takes as long as for one. */
const UNKNOWN = { scheme: 'standard', secret: '' } as const;

/** The same for whoever does not know the secret, whatever is wrong, so that nobody learns the names of triggers. */
const NOT_SIGNED =
  'Expected a delivery to an enabled trigger that takes deliveries, signed under its secret less than five minutes ago, but this one is not';

const LATER: ReadonlySet<string> = new Set(['DRAINING', 'INTAKE_CLOSED', 'PAYLOAD_STORE_UNAVAILABLE']);

const arrived = ({ headers, body }: FastifyRequest) => ({
  headers,
  body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
});
