/** The notification that one process sends to the others. */
export interface Message {
  readonly from: string;
  readonly position: string;
  readonly schedule: boolean;
  /** The queues, some with a step, that may have ready tasks. Null: any queue. */
  readonly queues: readonly string[] | null;
  /** Null: a slot of any queue may be free. */
  readonly freed: readonly string[] | null;
  /** Sent by the SQL function that fills the outbox, in its transaction. Processes never send it. */
  readonly outbox?: true;
  /** Absent in messages of builds that do not know it. */
  readonly seals?: boolean;
  /** The tasks of which there are new lines. Null: any task. Absent in messages of builds that do not know it. */
  readonly said?: readonly string[] | null;
}

/** A queue, or a step of a queue, as a message names it. A queue's name has no line break. */
export const placeOf = (queue: string, step?: string): string => (step === undefined ? queue : `${queue}\n${step}`);

export function readPlace(place: string): [queue: string, step?: string] {
  const end = place.indexOf('\n');
  return end < 0 ? [place] : [place.slice(0, end), place.slice(end + 1)];
}

/** Tells the receiver to look everywhere. */
export const ANYTHING: Message = {
  from: '',
  position: '0',
  schedule: true,
  queues: null,
  freed: null,
  outbox: true,
  seals: true,
  said: null,
};

/** Other programs may use the channel too. A message that cannot be parsed counts as `ANYTHING`. */
export function readMessage(payload: string): Message {
  try {
    const message = JSON.parse(payload) as unknown;
    return isMessage(message) ? message : ANYTHING;
  } catch {
    return ANYTHING;
  }
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null) return false;
  const { from, position, schedule, queues, freed, said = [] } = value as Record<keyof Message, unknown>;
  if (typeof from !== 'string' || typeof schedule !== 'boolean') return false;
  return (
    typeof position === 'string' && /^\d{1,19}$/.test(position) && areNames(queues) && areNames(freed) && areNames(said)
  );
}

const areNames = (value: unknown): boolean =>
  value === null || (Array.isArray(value) && value.every((name) => typeof name === 'string'));
