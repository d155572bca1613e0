import cronstrue from 'cronstrue';
import type { DeliveryTargets } from '../../application/deliveries/delivery-targets.port.js';
import type { Rejection } from '../../application/kernel/application-error.js';
import { nextOccurrences } from '../../application/kernel/cron.js';
import type { IsoTime, Json } from '../../domain/kernel/json.js';
import { entryOf } from '../../domain/events.js';
import type {
  DeliveryTrigger,
  EventPattern,
  InboundDelivery,
  Recipient,
  ToldChanges,
  TriggerDefinition,
  TriggeredTask,
} from '../../domain/trigger/trigger.events.js';
import type { TriggerRow } from '../../projections/triggers/triggers.queries.js';
import type { Recipient as AskedRecipient, TriggerDefinition as Asked } from '../dto/trigger.dto.js';
import type { TriggerReceipt } from '../../application/triggers/operate-trigger.handler.js';
import { TRIGGER_LABEL } from '../../application/triggers/delivered-item.js';
import type { InboundSecrets } from '../access/inbound-secrets.js';
import { InvalidInput } from '../input/invalid-input.js';
import type { Answer } from './answer.js';
import { assertMail, assertTarget } from './delivery.js';
import { receiptAnswer, type ReceiptBody } from './outcomes.js';
import { problemOfRejection } from '../problems/problem.js';

/** The members that belong to each kind of trigger. */
const KINDS = {
  cron: ['cron', 'timeZone', 'missed', 'changes'],
  queue: ['queue', 'batchSize', 'every', 'leaseMs'],
  event: ['event', 'mail', 'webhook'],
  delivery: ['delivery'],
} as const;

type Kind = keyof typeof KINDS;

/**
 * The definition in the form to store. Throws `InvalidInput` unless it says in one way when it makes which task, or
 * whom it tells.
 */
export function definitionOf(asked: Asked, targets: DeliveryTargets, secrets: InboundSecrets): TriggerDefinition {
  const kind = kindOf(asked);
  if (kind === 'delivery') return deliveryTriggerOf(asked, secrets);
  const { description = '', notify } = asked;
  const common = { description, ...(notify && { notify: recipientOf(notify, targets, '/notify') }) };
  if (kind === 'event') return { event: patternOf(asked.event!), ...common, ...madeOf(asked, targets) };
  if (kind === 'cron') {
    const times = { cron: asked.cron!, timeZone: timeZoneOf(asked), missed: asked.missed ?? 'latest' };
    return { ...times, ...common, ...(asked.changes ? { changes: toldOf(asked, targets) } : { task: taskOf(asked) }) };
  }
  const task = taskOf(asked);
  const { queue, batchSize = 1, every = 30, leaseMs } = asked;
  return { queue: queue!, batchSize, every, ...(leaseMs !== undefined && { leaseMs }), ...common, task };
}

/** Nobody is told of a refusal but the sender, who repeats the delivery or shows that it failed. */
function deliveryTriggerOf(asked: Asked, secrets: InboundSecrets): DeliveryTrigger {
  if (asked.notify !== undefined)
    throw invalid(
      '/notify',
      'Expected no notify of a trigger with delivery, because its senders are told, but there is one',
    );
  const { scheme, secret, headers } = asked.delivery!;
  const fault = secrets.faultIn(secret, scheme);
  if (fault !== null) throw invalid('/delivery/secret', fault);
  const kept = headers?.findIndex((name) => CREDENTIALS.has(name)) ?? -1;
  if (kept >= 0)
    throw invalid(
      `/delivery/headers/${kept}`,
      'Expected a header that may be kept for ever, but this one has credentials',
    );
  const task = taskOf(asked);
  assertPayload(task, 'the delivery');
  assertRoomForLabel(task);
  return { delivery: { scheme, secret, ...(headers && { headers }) }, description: asked.description ?? '', task };
}

const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie']);
/** Of a task. */
const MOST_LABELS = 32;

function assertPayload({ payload }: TriggeredTask, gets: string): void {
  if (payload !== undefined && (typeof payload !== 'object' || payload === null || Array.isArray(payload)))
    throw invalid('/task/payload', `Expected an object, which gets ${gets} as a member`);
}

function assertRoomForLabel({ labels = {} }: TriggeredTask): void {
  if (Object.hasOwn(labels, TRIGGER_LABEL))
    throw invalid(
      `/task/labels/${TRIGGER_LABEL}`,
      'Expected no such label, because the trigger itself gives it its name',
    );
  if (Object.keys(labels).length >= MOST_LABELS)
    throw invalid(
      '/task/labels',
      `Expected at most ${MOST_LABELS - 1} labels beside '${TRIGGER_LABEL}', but there are more`,
    );
}

function kindOf(asked: Asked): Kind {
  const [kind, ...more] = (Object.keys(KINDS) as Kind[]).filter((one) => asked[one] !== undefined);
  if (kind === undefined)
    throw invalid('', 'Expected a cron pattern, a queue, an event or a delivery, but there is none of them');
  if (more.length > 0)
    throw invalid(`/${more[0]!}`, `Expected either ${kind} or ${more.join(' or ')}, but there are both`);
  const foreign = Object.entries(KINDS).flatMap(([one, members]) => (one === kind ? [] : members));
  const stray = foreign.find((member) => asked[member] !== undefined);
  if (stray) throw invalid(`/${stray}`, `Expected no ${stray} of a trigger with ${kind}, but there is one`);
  return kind;
}

const patternOf = ({ types, queue, exhausted, from }: NonNullable<Asked['event']>): EventPattern => ({
  types,
  ...(queue !== undefined && { queue }),
  ...(exhausted && { exhausted }),
  ...(from !== undefined && { from }),
});

/** With the position that `from` means. */
export async function withPlace(
  definition: TriggerDefinition,
  placeBefore: (text: string, pointer: string) => Promise<bigint>,
): Promise<TriggerDefinition> {
  if (!('event' in definition) || definition.event.from === undefined) return definition;
  const from = String(await placeBefore(definition.event.from, '#/event/from'));
  return { ...definition, event: { ...definition.event, from } };
}

/** A task, mail or webhook. A task that events of tasks make needs a queue, so that it can be seen to make no more of them. */
function madeOf(asked: Asked, targets: DeliveryTargets): { readonly task: TriggeredTask } | Recipient {
  const { task, mail, webhook, event } = asked;
  if (task === undefined && mail === undefined && webhook === undefined)
    throw invalid('', 'Expected a task, mail or a webhook, but there is none of them');
  if (task === undefined) return recipientOf({ mail, webhook }, targets, '');
  if (mail !== undefined || webhook !== undefined) throw invalid('/task', 'Expected either a task, mail or a webhook');
  if (event!.queue === undefined && event!.types.some((type) => entryOf(type)?.category === 'task'))
    throw invalid('/event/queue', 'Expected a trigger that makes tasks of the events of tasks to name their queue');
  const made = taskOf(asked);
  assertPayload(made, 'the event');
  return { task: made };
}

/** One delivery tells all that came since the last one, so there is nothing to tell for each time that was missed. */
function toldOf({ changes, task, missed }: Asked, targets: DeliveryTargets): ToldChanges {
  if (task !== undefined) throw invalid('/task', 'Expected either a task or changes, but there are both');
  if (missed === 'each')
    throw invalid('/missed', "Expected 'latest' or 'skip' of a trigger that tells changes, but got 'each'");
  const { queue, to } = changes!;
  return { queue, to: recipientOf(to, targets, '/changes/to') };
}

function recipientOf({ mail, webhook }: AskedRecipient, targets: DeliveryTargets, pointer: string): Recipient {
  if ((mail === undefined) === (webhook === undefined)) throw invalid(pointer, 'Expected either mail or a webhook');
  if (mail) {
    assertMail(mail, targets, `${pointer}/mail`);
    return { mail: { to: mail.to } };
  }
  assertTarget(webhook!, targets, `${pointer}/webhook`);
  return { webhook: { url: webhook!.url, secret: webhook!.secret } };
}

function timeZoneOf({ timeZone }: Asked): string {
  if (timeZone === undefined)
    throw invalid('/timeZone', 'Expected a cron pattern to have a time zone, but it has none');
  return timeZone;
}

function taskOf({ task }: Asked): TriggeredTask {
  if (task === undefined) throw invalid('/task', 'Expected the task that the trigger makes, but there is none');
  const { payload, ...work } = task;
  return { ...work, ...(payload !== undefined && { payload: payload as Json }) };
}

const invalid = (pointer: string, detail: string): InvalidInput => new InvalidInput([{ pointer, detail }]);

/** The answer to a command on a trigger: also what it dropped. */
export const triggerAnswer = ({ dropped, ...receipt }: TriggerReceipt): Answer<TriggerReceiptBody> => {
  const { body, replayed } = receiptAnswer(receipt);
  return { body: { ...body, ...(dropped && { dropped }) }, replayed };
};

export type TriggerReceiptBody = ReceiptBody & Pick<TriggerReceipt, 'dropped'>;

const SHOWN = 5;

/** What people see of a trigger: besides its row, when it fires in words, and the next times. */
export function triggerView({ next, owed, failure, ...row }: TriggerRow, now: IsoTime) {
  return {
    ...row,
    words: inWords(row),
    next: [...(owed?.times ?? []), ...timesFrom(row, owed?.then ?? next, now)].slice(0, SHOWN),
    failure: failure && { ...failure, problem: problemOfRejection(failure.problem as Rejection) },
  };
}

function timesFrom(definition: TriggerDefinition, next: IsoTime | null, now: IsoTime): readonly IsoTime[] {
  if (next === null) return [];
  return 'cron' in definition ? [next, ...nextOccurrences(definition, next > now ? next : now, SHOWN - 1)] : [next];
}

function inWords(definition: TriggerDefinition): string {
  if ('cron' in definition) return patternInWords(definition.cron);
  if ('delivery' in definition) return deliveryInWords(definition.delivery);
  return 'event' in definition ? eventInWords(definition.event) : lookInWords(definition.queue, definition.every);
}

const SCHEME_NAMES = { standard: 'Standard Webhooks sign', github: 'GitHub signs', stripe: 'Stripe signs' } as const;

const deliveryInWords = ({ scheme, secret }: InboundDelivery): string =>
  `For every delivery, signed as ${SCHEME_NAMES[scheme]}, with the secret '${secret}'`;

function eventInWords({ types, queue, exhausted }: EventPattern): string {
  const where = queue === undefined ? '' : ` in queue '${queue}'`;
  return `After ${types.join(' or ')}${where}${exhausted ? ', once no retry is left' : ''}`;
}

const lookInWords = (queue: string, every: number): string =>
  `If there are tasks in queue '${queue}', looked up every ${every === 1 ? 'second' : `${every} seconds`}`;

/** The library that describes patterns knows fewer forms than the one that reads them. */
function patternInWords(cron: string): string {
  try {
    return cronstrue.toString(cron, { use24HourTimeFormat: true });
  } catch {
    return cron;
  }
}
