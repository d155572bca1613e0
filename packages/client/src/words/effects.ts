import { EVENTS, type EventEffect, type EventView } from '@waybill/contracts';

const EFFECTS: ReadonlyMap<string, readonly EventEffect[]> = new Map(
  Object.entries(EVENTS).map(([type, { effects }]) => [type, effects]),
);

/** What the catalogue says of the event's type; nothing of one that a later version of the service records. */
export const hasEffect = ({ type }: EventView, effect: EventEffect): boolean =>
  EFFECTS.get(type)?.includes(effect) ?? false;

/** Whether the task is over with this event: it may be retried. */
export const endsTask = (event: EventView): boolean =>
  hasEffect(event, 'ends-task') && event.data.verdict !== 'requeue';

/** Whether the task waits from this event on, for a worker or for its time. */
export const beginsWait = (event: EventView): boolean =>
  hasEffect(event, 'begins-wait') && !endsTask(event) && !event.data.heldBy && event.data.then !== 'continue';
