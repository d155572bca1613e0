import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Sealed } from './log-proofs.port.js';
import { LAST_SEAL } from './seal.js';
import { SealChanges } from './seal-changes.port.js';

/** No seal covers the events, and none did while the query waited. */
export class NotSealed extends Error {
  override readonly name = 'NotSealed';
}

/** Longer than a seal takes under load. */
const PATIENCE_MS = 20_000;
/** So late is a change noticed that nobody told of. */
const LOOK_MS = 5_000;

const STATE = `select s.size, s.position, s.note, n.stopped_for as stopped, n.key is not null as begun
  from (select) as one left join notary n on true
  left join lateral (${LAST_SEAL}) s on true`;

interface State {
  readonly size: string | null;
  readonly position: string | null;
  readonly note: string | null;
  readonly stopped: string | null;
  readonly begun: boolean;
}

/** What says how far the log is sealed, and when that changes. */
@Injectable()
export class SealSources {
  constructor(
    readonly db: DataSource,
    readonly changes: SealChanges,
  ) {}
}

/** The last seal, once it covers a position. Throws `NotSealed`, also if nobody seals. `signal`: aborts when nobody waits for it. */
export async function sealedUpTo(position: bigint, { db, changes }: SealSources, signal: AbortSignal): Promise<Sealed> {
  for (const end = performance.now() + PATIENCE_MS; ;) {
    const { count } = changes;
    const [state] = await db.query<[State]>(STATE);
    if (state.position !== null && BigInt(state.position) >= position)
      return { size: Number(state.size), note: state.note! };
    const leftMs = end - performance.now();
    const lack = lackIn(state, leftMs);
    if (lack !== null) throw new NotSealed(`Expected a seal up to position ${position}, but ${lack}`);
    await changes.past(count, signal, Math.min(LOOK_MS, leftMs));
    signal.throwIfAborted();
  }
}

/** Why no seal is worth waiting for. */
function lackIn({ stopped, begun }: State, leftMs: number): string | null {
  if (stopped !== null) return `the notary signs nothing: ${stopped}`;
  if (!begun) return 'nobody seals the log';
  return leftMs > 0 ? null : `there is none after ${PATIENCE_MS} ms`;
}
