import type { DomainEvent } from '../kernel/decider.js';

type Data = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value);
const isTime = (value: unknown): boolean => isText(value) && !Number.isNaN(Date.parse(value));
const isTimeOrNull = (value: unknown): boolean => value === null || isTime(value);
const isPosition = (value: unknown): boolean => isText(value) && /^\d+$/.test(value);
const isAbsentOr = (value: unknown, is: (value: unknown) => boolean): boolean => value === undefined || is(value);

const waits = ({ cron, queue, every, batchSize, event, delivery }: Data): boolean =>
  isText(cron) ||
  (isText(queue) && isCount(every) && isCount(batchSize)) ||
  (isObject(event) && Array.isArray(event.types) && event.types.every(isText) && isAbsentOr(event.from, isPosition)) ||
  (isObject(delivery) && isText(delivery.scheme) && isText(delivery.secret));

const tells = ({ mail, webhook }: Data): boolean => isObject(mail) || isObject(webhook);

const makes = ({ task, changes, ...recipient }: Data): boolean => {
  if (isObject(changes)) return isText(changes.queue) && isObject(changes.to) && tells(changes.to);
  return isObject(task) ? isText(task.queue) : tells(recipient);
};

const isDefinition = (value: unknown): boolean => isObject(value) && waits(value) && makes(value);

const isFiring = (value: unknown): boolean =>
  isObject(value) &&
  isTime(value.occurrence) &&
  isText(value.task) &&
  isAbsentOr(value.position, isPosition) &&
  isAbsentOr(value.upTo, isPosition);

const FIELDS: Readonly<Record<string, readonly (readonly [name: string, is: (value: unknown) => boolean])[]>> = {
  TriggerDefined: [
    ['definition', isDefinition],
    ['next', isTimeOrNull],
    ['changesAfter', (value) => isAbsentOr(value, isPosition)],
  ],
  TriggerChanged: [
    ['definition', isDefinition],
    ['next', isTimeOrNull],
    ['changesAfter', (value) => isAbsentOr(value, isPosition)],
  ],
  TriggerEnabled: [['next', isTimeOrNull]],
  TriggerFired: [
    ['firings', (value) => Array.isArray(value) && value.length > 0 && value.every(isFiring)],
    ['at', isTime],
    ['next', (value) => isAbsentOr(value, isTime)],
  ],
  TriggerSkipped: [['next', isTime]],
  TriggerFailed: [
    ['failures', isCount],
    ['problem', isObject],
    ['retryAt', isTime],
  ],
  TriggerGaveUp: [
    ['position', isPosition],
    ['failures', isCount],
    ['problem', isObject],
  ],
};

/** What is wrong with the data of an event of the trigger; null if nothing is. A damaged one must not be taken for another state. */
export function faultInTriggerEvent(trigger: string, { type, data }: DomainEvent): string | null {
  const given: unknown = data;
  if (!isObject(given)) return `the data of '${type}' are no object`;
  if (given.trigger !== trigger) return `'${type}' is of the trigger '${String(given.trigger)}'`;
  const wrong = FIELDS[type]?.find(([name, is]) => !is(given[name]));
  return wrong ? `'${type}' has no sound '${wrong[0]}'` : null;
}
