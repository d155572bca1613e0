import type { BatchOrder } from '../../application/batches/create-batch.handler.js';
import type { DeliveryTargets } from '../../application/deliveries/delivery-targets.port.js';
import type { ReportTarget } from '../../domain/batch/batch.policy.js';
import type { BatchDefinition, BatchPlan, ReportTarget as GivenTarget } from '../dto/batch.dto.js';
import { InvalidInput } from '../input/invalid-input.js';
import { assertMail, assertTarget } from './delivery.js';
import { submissionItem } from './submission.js';
import { defined } from '../../domain/kernel/defined.js';

/** The batch that the request describes. Throws `InvalidInput` unless its reports can reach somebody. */
export function batchOrderOf(given: BatchDefinition, targets: DeliveryTargets): BatchOrder {
  const { id: _id, reason: _reason, plan, reportTo, ...order } = given;
  return {
    ...defined(order),
    ...(plan && { plan: planOf(plan) }),
    ...(reportTo && { reportTo: targetOf(reportTo, targets) }),
  } as BatchOrder;
}

function planOf(plan: BatchPlan): BatchOrder['plan'] {
  const { taskId: _, ...item } = submissionItem(plan.queue, plan, '/plan');
  return { ...defined(item), queue: plan.queue };
}

function targetOf({ mail, webhook }: GivenTarget, targets: DeliveryTargets): ReportTarget {
  if (!mail && !webhook)
    throw new InvalidInput([{ pointer: '/reportTo', detail: 'Expected mail, a webhook, or both' }]);
  if (mail) assertMail(mail, targets, '/reportTo/mail');
  if (webhook) assertTarget(webhook, targets, '/reportTo/webhook');
  return { ...(mail && { mail: mail.to }), ...(webhook && { webhook: { url: webhook.url, secret: webhook.secret } }) };
}
