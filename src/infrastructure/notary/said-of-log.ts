import { NOTARY_CATEGORY } from '../../domain/notary/notary.stream.js';

/** That a log goes on as the `next` one, because somebody accepted a loss or retired the key. */
export interface SaidOfLog {
  readonly type: 'LogLossAccepted' | 'NotaryKeyRetired';
  readonly position: bigint;
  /** The name of the log that ends. */
  readonly log: string;
  readonly next: string;
  readonly by: string;
  readonly reason: string | null;
}

interface StoredEvents {
  readonly category: string;
  readonly type: string;
  /** Of the first event. */
  readonly position: bigint;
  readonly meta: string;
  /** The data of each event, in a line. */
  readonly data: string;
}

/** What stored events say of logs, for whoever verifies them. Nothing where somebody changed them so that they cannot be read. */
export function saidOfLog(events: StoredEvents): readonly SaidOfLog[] {
  const { category, type, position } = events;
  if (category !== NOTARY_CATEGORY || (type !== 'LogLossAccepted' && type !== 'NotaryKeyRetired')) return NOTHING;
  try {
    const { actor: by, reason = null } = JSON.parse(events.meta) as {
      readonly actor: string;
      readonly reason?: string;
    };
    return events.data.split('\n').map((line, at) => {
      const { log, next } = JSON.parse(line) as { readonly log: string; readonly next: string };
      return { type, position: position + BigInt(at), log, next, by, reason };
    });
  } catch (error) {
    if (error instanceof SyntaxError) return NOTHING;
    throw error;
  }
}

const NOTHING: readonly SaidOfLog[] = [];
