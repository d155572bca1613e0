import { EVENTS, type EventEffect, type EventView } from '@waybill/contracts';

const EFFECTS: ReadonlyMap<string, readonly EventEffect[]> = new Map(
  Object.entries(EVENTS).map(([type, { effects }]) => [type, effects]),
);

/** Whether the catalogue lists the effect for the event's type. It knows no types of later versions of the service. */
export const hasEffect = ({ type }: EventView, effect: EventEffect): boolean =>
  EFFECTS.get(type)?.includes(effect) ?? false;

/** Whether the task has ended with this event. It may still be retried. */
export const endsTask = (event: EventView): boolean =>
  hasEffect(event, 'ends-task') && event.data.verdict !== 'requeue';

/** Whether the task waits from this event on, for a worker or until it is due. */
export const beginsWait = (event: EventView): boolean =>
  hasEffect(event, 'begins-wait') && !endsTask(event) && !event.data.heldBy && event.data.then !== 'continue';
