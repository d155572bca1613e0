import { NO_STREAM } from '../../../../application/kernel/event-store.port.js';
import { verdictOn } from '../store-errors.js';
import type { AppendAnswer, EventToStore } from './store-client.port.js';

/**
 * The clients send the server a deadline by this machine's clock. A day is long enough that a clock an hour off does
 * not make the server refuse every append.
 */
export const DEADLINE_MS = 24 * 3_600_000;

/** What both clients take for the revision that an append expects, and for its events. */
export const expectedState = (expected: number): bigint | 'no_stream' =>
  expected === NO_STREAM ? 'no_stream' : BigInt(expected);
export const asJson = (events: readonly EventToStore[]) =>
  events.map(({ id, type, data, metadata }) => ({
    id,
    type,
    contentType: 'application/json' as const,
    data: data as Json,
    metadata: metadata as Json | undefined,
  }));

type Json = Record<string, unknown>;

interface AppendRefusal {
  /** Of `@eventstore/db-client`, and of its successor. */
  readonly actualVersion?: bigint | string;
  readonly actualState?: bigint | string;
  readonly maxAppendSize?: number;
  readonly maxSize?: number;
}

/** The outcome of an append, of which a conflict and a refusal are errors of the clients. */
export async function answerOf(
  append: Promise<{ readonly position?: { readonly commit: bigint } | undefined }>,
): Promise<AppendAnswer> {
  try {
    const { position } = await append;
    return { kind: 'appended', position: position?.commit ?? null };
  } catch (error) {
    const verdict = verdictOn(error);
    const { actualVersion, actualState = actualVersion, maxSize, maxAppendSize = maxSize } = error as AppendRefusal;
    if (verdict === 'refused') return { kind: 'refused', limit: maxAppendSize! };
    if (verdict !== 'conflict') throw error;
    return { kind: 'conflict', actual: typeof actualState === 'bigint' ? Number(actualState) : NO_STREAM };
  }
}
