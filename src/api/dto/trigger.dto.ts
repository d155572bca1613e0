import { AsOf } from './past.dto.js';
import { ApiProperty } from '@nestjs/swagger';
import { EVENTS } from '../../domain/events.js';
import type { WorkerLabels } from '../../domain/kernel/worker-labels.js';
import { Choice, Choices, Closed, Flag, Instant, Integer, Part, Text, Texts, Uuid } from '../input/fields.js';
import { Count, Indexed, Position } from './answer.fields.js';
import { MailTarget, WebhookTarget } from './delivery.dto.js';
import { Limits, QUEUE_NAME } from './limits.js';
import { Problem } from './problem.dto.js';
import { LabelsOfWorkers } from '../input/label-fields.js';
import { DURATION } from '../input/since.js';
import { shape } from '../input/shape.js';
import { ReasonRequest } from './reason.dto.js';
import { Receipt } from './settlement.dto.js';
import { TaskWork, TTL } from './submission.dto.js';

const MISSED = ['each', 'latest', 'skip'] as const;
const MISSED_OCCURRENCES =
  'What becomes of occurrences during which the service was down. `latest`, the default: the last of them makes a task. `each`: each ' +
  'makes one, up to 100. `skip`: none does. `skipped` counts the others.';

@Closed()
export class TriggeredTask extends TaskWork {
  @Text({ max: 100, pattern: QUEUE_NAME, example: 'reports' })
  queue!: string;

  @LabelsOfWorkers({
    optional: true,
    example: { gpu: true },
    description:
      'What its tasks need of their worker. If absent, the policy of their queue decides, which must look at `needs`: otherwise they are refused (`NEEDS_NOT_TAKEN`).',
  })
  needs?: WorkerLabels;

  @Integer({ ...Limits.ttlMs, optional: true, description: `For tasks that lose their use: ${TTL}` })
  ttlMs?: number;

  @Integer({
    ...Limits.ttlMs,
    optional: true,
    description:
      'Its deadline: milliseconds after its occurrence, after the event that it is made of, or after the look into the queue.',
  })
  deadlineMs?: number;
}

/** How long a look may wait for the next one, in seconds: a day at most. */
const EVERY = { min: 1, max: 86_400 } as const;

/** A place of the log: its beginning, a time, or a position. */
const PLACE = shape(
  /^(beginning|[0-9]{1,18}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d))$/,
  "'beginning', an instant as RFC 3339 text, or a position",
);

/** Also how long ago. */
const RANGE_PLACE = shape(
  new RegExp(`${PLACE.source}|${DURATION.source}`),
  "'beginning', an instant as RFC 3339 text, how long ago, such as '10m', or a position",
);

const EVENT_TYPES = Object.entries(EVENTS).flatMap(([type, { category, effects }]) =>
  isToldOf(type, category) && !effects.includes('fills-abandoned-place') ? type : [],
);

/** Of triggers only their failures, or a trigger could fire because another one did. */
function isToldOf(type: string, category: string): boolean {
  return category === 'trigger' ? type === 'TriggerFailed' : category !== 'consumer';
}

@Closed()
export class EventPattern {
  @Choices(EVENT_TYPES, {
    min: 1,
    description: 'The types of the events, such as `TaskFailed`, which is also a `TaskOverruled` that fails the task.',
  })
  types!: string[];

  @Text({
    max: 100,
    pattern: QUEUE_NAME,
    optional: true,
    description: 'Only events of this queue. Events of the queues of the service itself never match.',
  })
  queue?: string;

  @Flag({
    optional: true,
    description:
      'Only failures at a limit of the queue (retries, lost leases, times) and those that somebody decided: not what its worker ended for good before.',
  })
  exhausted?: boolean;

  @Text({
    max: 40,
    pattern: PLACE,
    optional: true,
    example: 'beginning',
    description:
      'Begin with events of before: all of them (`beginning`), or those from a time on, or after a position of the log. Kept as a position. If absent, the trigger begins with the next event.',
  })
  from?: string;
}

/** A range of the log whose events a trigger tells once more. */
@Closed()
export class ReplayRequest extends ReasonRequest {
  @Text({
    max: 40,
    pattern: RANGE_PLACE,
    example: '2026-11-23T03:12:00Z',
    description:
      'Where the range begins: `beginning`, a time, how long ago (such as `24h`), or a position of the log, after which it begins.',
  })
  from!: string;

  @Text({
    max: 40,
    pattern: RANGE_PLACE,
    optional: true,
    description: 'Where it ends: before this time, or with this position; now if absent.',
  })
  to?: string;

  @Flag({ optional: true, description: '`true`: also a range of more than 1,000,000 events. It is refused otherwise.' })
  yes?: boolean;

  @Flag({ optional: true, description: '`true`: only count the events.' })
  preview?: boolean;
}

export class StartedReplay {
  @Count({
    nullable: true,
    description:
      'How many events of the range match. Null if it has more than 1,000,000 events, which are not counted.',
  })
  count!: number | null;

  @Position({ description: 'The range begins after this position.' })
  after!: string;

  @Position({ description: 'The last position of the range.' })
  upTo!: string;

  @Uuid({
    nullable: true,
    description:
      'The id of the replay, which is a task of the queue `waybill.past-events`; null for a preview. What it sends has it as `replay`.',
  })
  id!: string | null;

  @Position({ nullable: true })
  position!: string | null;

  @Indexed()
  indexed?: false;
}

/** Either of them is given. */
@Closed()
export class Recipient {
  @Part(() => MailTarget, { optional: true })
  mail?: MailTarget;

  @Part(() => WebhookTarget, { optional: true })
  webhook?: WebhookTarget;
}

/** Whom a trigger tells what has changed. */
@Closed()
export class ToldChanges {
  @Text({ max: 100, pattern: QUEUE_NAME, example: 'mail', description: 'The tasks of this queue.' })
  queue!: string;

  @Part(() => Recipient, { description: 'Who is told: either `mail` or `webhook`.' })
  to!: Recipient;
}

export const SIGNATURE_SCHEMES = ['standard', 'github', 'stripe'] as const;

const HEADER_NAME = shape(/^[a-z0-9][a-z0-9-]*$/, 'names of headers in lower case');

/** Which requests are deliveries to a trigger. */
@Closed()
export class InboundDelivery {
  @Choice(SIGNATURE_SCHEMES, {
    description: 'How the sender signs: `standard` is Standard Webhooks, as Waybill itself and many others sign.',
  })
  scheme!: (typeof SIGNATURE_SCHEMES)[number];

  @Text({
    max: 100,
    pattern: QUEUE_NAME,
    example: 'shop',
    description: 'The name of the secret under which the sender signs, in `WAYBILL_INBOUND_SECRETS`.',
  })
  secret!: string;

  @Texts({
    max: 100,
    items: 20,
    pattern: HEADER_NAME,
    optional: true,
    example: ['x-github-event'],
    description: 'The headers that tasks get, in lower case. Of the others, tasks get none.',
  })
  headers?: string[];
}

/** What a trigger waits for: times (`cron`), tasks in a queue (`queue`), events (`event`), or signed requests (`delivery`). */
class TriggerTerms {
  @Text({
    max: 100,
    optional: true,
    example: '30 2 * * 1-5',
    description:
      'Makes a task at every time at which it occurs: minute, hour, day of the month, month, day of the week.',
  })
  cron?: string;

  @Text({
    max: 100,
    optional: true,
    example: 'Europe/Berlin',
    description: 'With `cron`: the IANA name of the time zone.',
  })
  timeZone?: string;

  @Choice(MISSED, { optional: true, description: `With \`cron\`: ${MISSED_OCCURRENCES}` })
  missed?: (typeof MISSED)[number];

  @Text({
    max: 100,
    pattern: QUEUE_NAME,
    optional: true,
    example: 'invoices',
    description:
      'Looks into this queue at intervals. If it has tasks that are ready, claims some and makes one task for them: their job. Whoever claims the job gets them with it.',
  })
  queue?: string;

  @Integer({ min: 1, max: 100, optional: true, description: 'With `queue`: the most items of one job; 1 if absent.' })
  batchSize?: number;

  @Integer({ ...EVERY, optional: true, description: 'With `queue`: seconds from one look to the next; 30 if absent.' })
  every?: number;

  @Integer({
    ...Limits.leaseMs,
    optional: true,
    description:
      'With `queue`: how long the items wait for a worker of their job before they return to their queue. If absent, the policy of their queue decides.',
  })
  leaseMs?: number;

  @Part(() => ToldChanges, {
    optional: true,
    description:
      'With `cron`, instead of `task`: at every time a delivery tells which tasks of a queue are not what they were at the last one, as `GET /v1/changes` lists them. Each goes on where the one before ended, so `missed` is not `each`.',
  })
  changes?: ToldChanges;

  @Part(() => EventPattern, { optional: true, description: 'Makes a task of every event that matches.' })
  event?: EventPattern;

  @Part(() => InboundDelivery, {
    optional: true,
    description:
      'Makes a task of every request to `POST /v1/triggers/{trigger}/deliveries` that is signed so. Its payload has the delivery as `delivery`: `id`, `headers` and `body`.',
  })
  delivery?: InboundDelivery;

  @Part(() => MailTarget, {
    optional: true,
    description: 'With `event`, instead of `task`: who gets mail of each event.',
  })
  mail?: MailTarget;

  @Part(() => WebhookTarget, { optional: true, description: 'With `event`, instead of `task`: the webhook to call.' })
  webhook?: WebhookTarget;

  @Part(() => Recipient, {
    optional: true,
    description: 'Who is told when the trigger begins to fail. Not with `delivery`, whose senders are told.',
  })
  notify?: Recipient;

  @Part(() => TriggeredTask, {
    optional: true,
    description:
      'The task that it makes. The `dueAt` of one that a `cron` pattern makes is the occurrence. The payload of one that is made of an event has the event as `event`.',
  })
  task?: TriggeredTask;
}

@Closed()
export class TriggerDefinition extends TriggerTerms {
  @Text({ min: 0, max: Limits.description, optional: true, example: 'The report of the day before' })
  description?: string;

  @Text({ max: Limits.reason, optional: true, description: 'The reason, for the history.' })
  reason?: string;
}

@Closed()
export class FireTriggerRequest extends ReasonRequest {
  @Uuid({
    optional: true,
    description: 'The id of the task; generated if absent. Repeating a request with the same id has no further effect.',
  })
  id?: string;
}

export class TriggerFiring {
  @Instant({ description: 'The time for which the task was made.' })
  occurrence!: string;

  @Uuid({})
  task!: string;

  @Instant({})
  firedAt!: string;
}

export class TriggerFailure {
  @Count({ description: 'How often it failed in a row.' })
  failures!: number;

  @ApiProperty({ type: () => Problem })
  problem!: Problem;

  @Instant({ nullable: true, description: 'When it tries again; null if it gave up an event.' })
  retryAt!: string | null;
}

/** Occurrences that made no task. */
export class LeftOut {
  @Count()
  count!: number;

  @Flag({ optional: true, description: 'There were more: they are counted up to a week of minutes.' })
  atLeast?: boolean;

  @Instant({ description: 'The first of them.' })
  from!: string;

  @Instant({ description: 'The last of them.' })
  to!: string;
}

export class SkippedOccurrences extends LeftOut {
  @Count({ description: 'The number of all occurrences that the trigger left out so far.' })
  total!: number;
}

/** What became of a delivery. */
export class TakenDelivery {
  @Uuid({ description: 'The task that was made of it. A repetition gets the same one.' })
  task!: string;

  @Flag({ description: 'Whether this request made it.' })
  isNew!: boolean;
}

export class TriggerReceipt extends Receipt {
  @Part(() => LeftOut, {
    optional: true,
    description:
      'Occurrences, and events that were put aside, that came before the command, had made no task, and now make none. Absent if there are none.',
  })
  dropped?: LeftOut;
}

export class TriggerView extends TriggerTerms {
  @Text({ max: 100, pattern: QUEUE_NAME, example: 'nightly-report' })
  name!: string;

  @Choice(['enabled', 'disabled'])
  state!: 'enabled' | 'disabled';

  @Text({ min: 0, max: Limits.description })
  description!: string;

  @Text({
    max: Limits.description,
    example: 'At 02:30, Monday through Friday',
    description: 'When it makes a task, in words.',
  })
  words!: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    isArray: true,
    description: 'The next occurrences, or the next look into the queue. Empty while the trigger is disabled.',
  })
  next!: string[];

  @Part(() => TriggerFiring, {
    nullable: true,
    description:
      'The last task; null if there was none yet. With `delivery`, the last that somebody fired by hand: the tasks of deliveries have the label `trigger` with the name of the trigger.',
  })
  last!: TriggerFiring | null;

  @Uuid({ nullable: true, description: 'With `queue`: the last item that it claimed; null if there was none yet.' })
  lastItem!: string | null;

  @Part(() => SkippedOccurrences, {
    nullable: true,
    description:
      'With `cron`: the occurrences that `missed` left out when it last did. With `event`: the events that it gave up last because it owed too many. Null if there were none.',
  })
  skipped!: SkippedOccurrences | null;

  @Part(() => TriggerFailure, { nullable: true, description: 'Null if the last occurrence made its task.' })
  failure!: TriggerFailure | null;

  @Count()
  revision!: number;

  @Position()
  position!: string;

  @Part(() => AsOf, { optional: true, description: 'Present if the answer is as of a moment.' })
  asOf?: AsOf;
}

export class TriggerList {
  @ApiProperty({ type: () => [TriggerView] })
  items!: TriggerView[];

  @Text({ max: Limits.cursor, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;

  @Part(() => AsOf, { optional: true, description: 'Present if the list is as of a moment.' })
  asOf?: AsOf;
}
