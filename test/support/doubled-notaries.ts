import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LeaderTerm } from '../../src/application/kernel/leader-term.js';
import type { Checkpoint } from '../../src/domain/seals/checkpoint.js';
import type { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';
import { Leaders } from '../../src/infrastructure/leadership/leaders.js';
import type { LogLeaves } from '../../src/infrastructure/notary/log-leaves.port.js';
import { LogTree } from '../../src/infrastructure/notary/log-tree.js';
import { Notary, type NotaryParts } from '../../src/infrastructure/notary/notary.js';
import { NotaryNotice } from '../../src/infrastructure/notary/notary-notice.js';
import type { Witnesses } from '../../src/infrastructure/notary/witnesses.js';
import { StandingStill } from './standing-still.js';

/** What a notary asks for in a round, in this order: it stands still before it gets the answer. `hasSigned`: whether that is behind it. */
export const SEALING_POINTS = [
  { part: 'leaves', method: 'after', hasSigned: false },
  { part: 'tree', method: 'grow', hasSigned: false },
  { part: 'tree', method: 'rootsOf', hasSigned: false },
  { part: 'witnesses', method: 'cosign', hasSigned: true },
  { part: 'notice', method: 'seals', hasSigned: true },
  { part: 'tree', method: 'keep', hasSigned: true },
] as const;

/** What becomes of a log that two notaries seal. Each is called with an empty tree in the database, but for `grow`. */
export interface SplitLog {
  /** It has its beginning only. */
  readonly shorten: () => Promise<unknown>;
  /** It has the rest, too. */
  readonly grow: () => Promise<unknown>;
  /** A backup was restored, and something else was stored: the rest is another one. */
  readonly fork: () => Promise<unknown>;
}

/** Two notaries with one folder, of which each believes that it leads. Keeps which roots they signed, by their sizes. */
export class DoubledNotaries {
  private readonly roots = new Map<number, Set<string>>();

  constructor(
    private readonly pool: PostgresPool,
    private readonly leaves: LogLeaves,
    private readonly leaders: Leaders,
  ) {}

  /**
   * One stands still at the point while the other seals a fork, and goes on then. Returns how many roots were signed of each size, and whether
   * the other one sealed meanwhile.
   */
  async seal({ part, method }: (typeof SEALING_POINTS)[number], log: SplitLog) {
    const folder = await mkdtemp(join(tmpdir(), 'waybill-doubled-'));
    const parts = this.partsIn(folder);
    const [one, other] = [await this.termOf(`one at ${method}`), await this.termOf(`other at ${method}`)];
    await log.shorten();
    const first = await this.run(one, parts);
    if (first) throw first;
    await log.grow();
    const standing = new StandingStill<object>(parts[part]!, method as never);
    const late = this.run(one, { ...parts, [part]: standing.part });
    await standing.stands;
    await log.fork();
    const failure = await this.run(other, parts);
    standing.goOn();
    await late;
    await this.run(other, parts);
    await rm(folder, { recursive: true });
    return { roots: [...this.roots.values()].map(({ size }) => size), hasOtherSealed: failure === null };
  }

  private async termOf(role: string): Promise<LeaderTerm> {
    return (await this.leaders.tryToLead(role))!.term;
  }

  private partsIn(folder: string): NotaryParts {
    const [tree, notice] = [new LogTree(this.pool), new NotaryNotice(this.pool)];
    return { leaves: this.leaves, tree, notice, folder, witnesses: this.witness() as Witnesses };
  }

  /** Sees every signature before anybody else does. */
  private witness(): Pick<Witnesses, 'isWhole' | 'cosign'> {
    const cosign = ({ size, root }: Checkpoint) => {
      this.roots.set(size, (this.roots.get(size) ?? new Set()).add(Buffer.from(root).toString('hex')));
      return Promise.resolve([]);
    };
    return { isWhole: () => true, cosign };
  }

  /** Returns why it sealed nothing; null if it did. */
  private async run(by: LeaderTerm, parts: NotaryParts): Promise<Error | null> {
    const notary = new Notary(parts, this.leaders);
    try {
      while ((await notary.round(by)) === 0);
      return null;
    } catch (error) {
      return error as Error;
    }
  }
}
