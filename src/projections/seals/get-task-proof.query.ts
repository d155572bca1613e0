import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { taskStream } from '../../domain/task/task.stream.js';
import { EventLog } from '../kernel/event-log.port.js';
import { LogProofs, type SegmentProof } from './log-proofs.port.js';
import { SealChanges } from './seal-changes.port.js';
import { sealedUpTo } from './sealed-up-to.js';

/** That events of a task are in the sealed log. */
export interface TaskProof {
  readonly format: 'waybill-proof';
  readonly version: 1;
  readonly task: string;
  /** Whether the task has more events than a proof takes. */
  readonly truncated: boolean;
  readonly segments: readonly SegmentProof[];
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
export const MOST_EVENTS = 500;

@QueryHandler(GetTaskProof)
export class GetTaskProofHandler implements IQueryHandler<GetTaskProof> {
  constructor(
    readonly db: DataSource,
    private readonly log: EventLog,
    private readonly proofs: LogProofs,
    readonly changes: SealChanges,
  ) {}

  async execute(asked: GetTaskProof): Promise<TaskProof | null> {
    const { task, isPrivate, signal } = asked;
    const [history = []] = await this.log.readStreams([taskStream(task)]);
    if (history.length === 0) return null;
    if (this.proofs.isWhole && !isPrivate) throw new ProofNeedsPrivate();
    const events = history.slice(0, MOST_EVENTS);
    const sealed = await sealedUpTo(events.at(-1)!.position, this, signal);
    const positions = events.map(({ position }) => position);
    const { segments, isCut } = await this.proofs.of(positions, sealed, isPrivate ? task : null);
    const truncated = isCut || history.length > events.length;
    return { format: 'waybill-proof', version: 1, task, truncated, segments };
  }
}
