import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { taskStream } from '../../domain/task/task.stream.js';
import { EventLog, type Recorded } from '../kernel/event-log.port.js';
import { LogProofs, type Sealed, type SegmentProof } from './log-proofs.port.js';
import { SealChanges } from './seal-changes.port.js';

/** That events of a task are in the sealed log. */
export interface TaskProof {
  readonly format: 'waybill-proof';
  readonly version: 1;
  readonly task: string;
  /** Whether the task has more events than a proof takes. */
  readonly truncated: boolean;
  readonly segments: readonly SegmentProof[];
}

/** No seal covers the events, and none did while the query waited. */
export class NotSealed extends Error {
  override readonly name = 'NotSealed';
}

/** The events are stored as one text with their private halves. */
export class ProofNeedsPrivate extends Error {
  override readonly name = 'ProofNeedsPrivate';
  constructor() {
    super(`Expected 'private=true', because each event in EventStoreDB is one text, with its private half`);
  }
}

/** Null if no task has the id. Waits for the next seal. Throws `NotSealed` and `ProofNeedsPrivate`. */
export class GetTaskProof extends Query<TaskProof | null> {
  /** No part of what is asked. */
  readonly #signal: AbortSignal;

  constructor(
    readonly task: string,
    readonly isPrivate: boolean,
    signal: AbortSignal,
  ) {
    super();
    this.#signal = signal;
  }

  /** Aborts when nobody waits for the answer. */
  get signal(): AbortSignal {
    return this.#signal;
  }
}

/** The most events of a task in its proof, some 3 MB. */
const MOST_EVENTS = 500;
/** Longer than a seal takes under load. */
const PATIENCE_MS = 20_000;
/** So late is a change noticed that nobody told of. */
const LOOK_MS = 5_000;

const STATE = `select s.size, s.position, s.note, n.stopped_for as stopped, n.key is not null as begun
  from (select) as one left join notary n on true
  left join lateral (select size, position, note from seals order by log desc, size desc limit 1) s on true`;

interface State {
  readonly size: string | null;
  readonly position: string | null;
  readonly note: string | null;
  readonly stopped: string | null;
  readonly begun: boolean;
}

@QueryHandler(GetTaskProof)
export class GetTaskProofHandler implements IQueryHandler<GetTaskProof> {
  constructor(
    private readonly db: DataSource,
    private readonly log: EventLog,
    private readonly proofs: LogProofs,
    private readonly changes: SealChanges,
  ) {}

  async execute(asked: GetTaskProof): Promise<TaskProof | null> {
    const { task, isPrivate, signal } = asked;
    const [history = []] = await this.log.readStreams([taskStream(task)]);
    if (history.length === 0) return null;
    if (this.proofs.isWhole && !isPrivate) throw new ProofNeedsPrivate();
    const events = history.slice(0, MOST_EVENTS);
    const sealed = await this.sealedUpTo(events.at(-1)!, signal);
    const positions = events.map(({ position }) => position);
    const { segments, isCut } = await this.proofs.of(positions, sealed, isPrivate ? task : null);
    const truncated = isCut || history.length > events.length;
    return { format: 'waybill-proof', version: 1, task, truncated, segments };
  }

  private async sealedUpTo({ position }: Recorded, signal: AbortSignal): Promise<Sealed> {
    for (const end = performance.now() + PATIENCE_MS; ;) {
      const { count } = this.changes;
      const [state] = await this.db.query<[State]>(STATE);
      if (state.position !== null && BigInt(state.position) >= position)
        return { size: Number(state.size), note: state.note! };
      const leftMs = end - performance.now();
      const lack = lackIn(state, leftMs);
      if (lack !== null) throw new NotSealed(`Expected a seal up to position ${position}, but ${lack}`);
      await this.changes.past(count, signal, Math.min(LOOK_MS, leftMs));
      signal.throwIfAborted();
    }
  }
}

/** Why no seal is worth waiting for. */
function lackIn({ stopped, begun }: State, leftMs: number): string | null {
  if (stopped !== null) return `the notary signs nothing: ${stopped}`;
  if (!begun) return 'nobody seals the log';
  return leftMs > 0 ? null : `there is none after ${PATIENCE_MS} ms`;
}
