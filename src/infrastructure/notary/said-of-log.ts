import { objectOrNull } from '../event-codec/segment-text.js';
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
  const { category, type } = events;
  if (category !== NOTARY_CATEGORY || (type !== 'LogLossAccepted' && type !== 'NotaryKeyRetired')) return NOTHING;
  const { actor: by, reason }: Partial<Record<string, unknown>> = objectOrNull(events.meta) ?? {};
  const { position } = events;
  return events.data.split('\n').flatMap((line, at) => {
    const { log, next }: Partial<Record<string, unknown>> = objectOrNull(line) ?? {};
    if (!isText(by) || !isText(log) || !isText(next)) return NOTHING;
    return [{ type, position: position + BigInt(at), log, next, by, reason: isText(reason) ? reason : null }];
  });
}

const isText = (value: unknown): value is string => typeof value === 'string';

const NOTHING: readonly SaidOfLog[] = [];
