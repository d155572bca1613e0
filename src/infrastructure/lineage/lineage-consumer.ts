import { Logger } from '@nestjs/common';
import { type LogSegment, sizeOf } from '../../application/kernel/log-segment.js';
import { Mutex } from '../../application/kernel/mutex.js';
import { sayUnlessAway } from '../../application/kernel/outage.js';
import type { PostgresPool } from '../database/postgres-pool.js';
import { inTransaction } from '../database/transaction.js';
import {
  type Checkpoint,
  CheckpointMoved,
  moveCheckpoint,
  NewerVersion,
  openCheckpoint,
} from '../projection-engine/checkpoint.js';
import type { Consumer } from '../projection-engine/consumer.js';
import type { LookingModel } from '../projection-engine/model.js';
import type { Rebuild } from '../projection-engine/rebuild.js';
import { restAfter } from '../projection-engine/rest-after.js';
import type { Statement } from '../projection-engine/table-sql.js';

/** How long the checkpoint may stand behind while nothing is written. */
const LATEST_MS = 1_000;

/**
 * Writes what led to what, and which attempts overlapped. Most events name nothing, so most rounds write nothing: their checkpoint
 * moves with the next rows, or once a second for all of them. After a crash, some of the log is read again.
 */
export class LineageConsumer implements Consumer {
  readonly name: string;
  readonly version: number;
  readonly restAfter = restAfter;
  private readonly logger = new Logger('Lineage');
  private readonly turns = new Mutex();
  /** The stored checkpoint, and how many events behind it stands. */
  private stored: Checkpoint | null = null;
  private reached = 0n;
  private passed = 0;
  private timer: NodeJS.Timeout | null = null;
  /** Why the checkpoint could not be moved late. */
  private failure: unknown = null;

  constructor(
    private readonly pool: PostgresPool,
    private readonly model: LookingModel,
    private readonly rebuilding: Pick<Rebuild, 'run'>,
  ) {
    this.name = model.name;
    this.version = model.version;
  }

  async consume(segments: readonly LogSegment[], from: Checkpoint): Promise<Checkpoint> {
    const statements = await this.model.statements(segments, from.slot);
    return this.turns.run(async () => {
      if (this.failure !== null) throw this.failure;
      this.stored ??= from;
      this.reached = segments.at(-1)!.position;
      this.passed += sizeOf(segments);
      if (statements.length > 0) await this.store(statements);
      else this.catchUpLater();
      return { ...from, position: this.reached };
    });
  }

  async upgrade(signal: AbortSignal): Promise<void> {
    this.forget();
    const { version } = await openCheckpoint(this.pool, this.name, this.version);
    if (version > this.version)
      throw new NewerVersion(
        `Expected '${this.name}' version ${this.version} to follow, but version ${version} took over`,
      );
    if (version < this.version) await this.rebuilding.run([this.model], { signal });
  }

  /** What cannot be stored any more is read again. */
  async ended(): Promise<void> {
    await this.catchUp().catch((error: unknown) => this.say(error));
    this.forget();
  }

  private forget(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = this.stored = this.failure = null;
    this.passed = 0;
  }

  private catchUpLater(): void {
    this.timer ??= setTimeout(() => void this.catchUp().catch((error: unknown) => this.failed(error)), LATEST_MS);
    this.timer.unref();
  }

  /** The next round fails with it, so that the follower begins anew. Until then it is tried again. */
  private failed(error: unknown): void {
    if (this.failure === null) this.say(error);
    this.failure = error;
    this.catchUpLater();
  }

  private say(error: unknown): void {
    if (error instanceof CheckpointMoved) return;
    const line = `Expected to store how far '${this.name}' is, but ${(error as Error).message}`;
    sayUnlessAway(error, line, (said) => this.logger.warn(said));
  }

  /** Moves the stored checkpoint past events that named nothing. */
  private catchUp(): Promise<void> {
    return this.turns.run(async () => {
      this.timer = null;
      if (this.passed > 0) await this.store([]);
    });
  }

  private async store(statements: readonly Statement[]): Promise<void> {
    const { stored, reached, passed } = this;
    this.stored = await inTransaction(this.pool, async (connection) => {
      const moved = await moveCheckpoint(connection, stored!, reached, passed);
      for (const { text, values } of statements) await connection.query(text, values);
      return moved;
    });
    this.passed = 0;
    this.failure = null;
  }
}
