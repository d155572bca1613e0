/** What processes tell each other. */
export interface Message {
  readonly from: string;
  readonly position: string;
  readonly schedule: boolean;
  /** Null: any queue may be ready. */
  readonly queues: readonly string[] | null;
  /** Null: a slot of any queue may be free. */
  readonly freed: readonly string[] | null;
  /** Told by the function that fills the outbox, in its transaction; no process tells it. */
  readonly outbox?: true;
}

/** To look everywhere. */
export const ANYTHING: Message = {
  from: '',
  position: '0',
  schedule: true,
  queues: null,
  freed: null,
  outbox: true,
};

/** Who else may use the database's channels is not known: what cannot be read may mean anything. */
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
  const { from, position, schedule, queues, freed } = value as Record<keyof Message, unknown>;
  if (typeof from !== 'string' || typeof schedule !== 'boolean') return false;
  return typeof position === 'string' && /^\d{1,19}$/.test(position) && areNames(queues) && areNames(freed);
}

const areNames = (value: unknown): boolean =>
  value === null || (Array.isArray(value) && value.every((name) => typeof name === 'string'));
