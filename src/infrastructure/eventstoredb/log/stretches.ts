import { roughBytes } from '../../../domain/kernel/byte-budget.js';

/** A part of the log, after a place or an event and before our next event, in which there is nothing of ours. */
export interface Stretch {
  readonly after: bigint;
  /** The position of our next event. */
  readonly upTo: bigint;
  /** Of that event: if another one is at its position, the log is not the one that was looked through. */
  readonly id: string;
  /** That event and those of ours after it, as far as they are kept (`keptText`). */
  readonly island?: string;
}

/** What is looked at of an event of ours. */
export interface PassedEvent {
  readonly position: bigint;
  readonly id: string;
  readonly data: unknown;
}

/**
 * Shorter ones are not worth a call of their own: the server looks through 700 events of 350 bytes in the time that a
 * read of one event takes.
 */
export const WORTH_BYTES = 256 * 1024;

/**
 * Finds the stretches between events of ours that follow one another in the log after a position. Only for events that a
 * server sent in order. DANGER: a stretch never ends with a checkpoint, which may lie after an event that is still to come.
 */
export class Stretches {
  private last: Pick<PassedEvent, 'position'> & Partial<PassedEvent>;

  constructor(after: bigint) {
    this.last = { position: after };
  }

  /** The stretch before the event, if there is one. None after an event that came again: what came meanwhile lies behind it. */
  before(event: PassedEvent): Stretch | null {
    const { last } = this;
    if (event.position <= last.position) return null;
    this.last = event;
    const stretch = { after: last.position, upTo: event.position, id: event.id };
    return lengthOf(stretch) >= WORTH_BYTES && lengthOf(stretch) - roughBytes(last.data) >= WORTH_BYTES
      ? stretch
      : null;
  }
}

const lengthOf = ({ after, upTo }: Stretch): number => Number(upTo - after);
