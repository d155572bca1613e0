import { type LogSegment, sizeOf } from '../../application/kernel/log-segment.js';
import { needsPrivate, type Projection } from '../../projections/kernel/projection.js';
import type { PostgresPool } from '../database/postgres-pool.js';
import { writeChanges } from './change-writer.js';
import { NewerVersion, openCheckpoint, PoisonEvent, type Checkpoint } from './checkpoint.js';
import type { Consumer } from './consumer.js';
import type { Rebuild } from './rebuild.js';
import { isRefusedData } from '../database/refused-data.js';
import { inOneTurn } from '../database/transaction.js';
import { restAfter } from './rest-after.js';

/** Keeps a projection's tables up to date with the log. */
export class ProjectionConsumer implements Consumer {
  readonly name: string;
  readonly restAfter = restAfter;
  readonly version: number;
  readonly needsPrivate: boolean;

  constructor(
    private readonly projection: Projection<never>,
    private readonly pool: PostgresPool,
    private readonly rebuilding: Rebuild,
  ) {
    this.name = projection.name;
    this.version = projection.version;
    this.needsPrivate = needsPrivate(projection);
  }

  async consume(segments: readonly LogSegment[], from: Checkpoint): Promise<Checkpoint> {
    try {
      const rows = { projection: this.projection, checkpoint: from };
      const [written] = await inOneTurn(this.pool, (connection) => writeChanges(connection, [rows], segments));
      return written!.checkpoint;
    } catch (error) {
      if (!(error instanceof PoisonEvent) && !isRefusedData(error)) throw error;
      if (sizeOf(segments) > 1) return this.consumeInHalves(segments, from);
      throw error instanceof PoisonEvent ? error : new PoisonEvent(this.name, segments[0]!.position, error);
    }
  }

  async upgrade(signal: AbortSignal): Promise<void> {
    const { version } = await openCheckpoint(this.pool, this.name, this.version);
    if (version > this.version) {
      throw new NewerVersion(
        `Expected '${this.name}' version ${this.version} to follow, but version ${version} took over`,
      );
    }
    if (version < this.version) await this.rebuilding.run([this.projection], { signal });
  }

  /** Writes everything up to the poison event. The error names that event. */
  private async consumeInHalves(segments: readonly LogSegment[], from: Checkpoint): Promise<Checkpoint> {
    const [first, second] = halves(segments);
    return this.consume(second, await this.consume(first, from));
  }
}

type Halves = readonly [readonly LogSegment[], readonly LogSegment[]];

function halves(segments: readonly LogSegment[]): Halves {
  const [only, ...rest] = segments as [LogSegment, ...LogSegment[]];
  const middle = (rest.length === 0 ? only.size : segments.length) >> 1;
  if (rest.length === 0) return [[only.slice(0, middle)], [only.slice(middle)]];
  return [segments.slice(0, middle), segments.slice(middle)];
}
