import type { LogSegment } from '../../application/kernel/log-segment.js';
import type { PostgresPool } from '../database/postgres-pool.js';
import { inOneTurn } from '../database/transaction.js';
import { type Rows, writeChanges } from './change-writer.js';

/** What one follower writes. */
interface Part {
  readonly rows: Rows;
  readonly segments: readonly LogSegment[];
  readonly resolve: (rows: Rows | Promise<Rows>) => void;
}

/**
 * Commits together what the followers of a process write for the same events: a commit and its round trip cost more than a
 * follower's own statements. Each follower keeps its own checkpoint and term. If the commit of several fails, each commits alone,
 * so that a follower which lost its place, or meets an event that it cannot apply, stops no other.
 */
export class SharedCommits {
  private parts: Part[] = [];

  constructor(private readonly pool: PostgresPool) {}

  /** As `writeChanges`, committed. */
  write(rows: Rows, segments: readonly LogSegment[]): Promise<Rows> {
    return new Promise((resolve) => {
      this.parts.push({ rows, segments, resolve });
      if (this.parts.length === 1) setImmediate(() => this.commitAll());
    });
  }

  private commitAll(): void {
    const parts = this.parts;
    this.parts = [];
    for (const group of bySegments(parts)) this.commit(group);
  }

  private commit(parts: readonly Part[]): void {
    const written = this.commitTogether(parts);
    parts.forEach((part, at) => {
      const alone = () => this.commitTogether([part]).then(([rows]) => rows!);
      part.resolve(written.then((rows) => rows[at]!, parts.length > 1 ? alone : undefined));
    });
  }

  private commitTogether(parts: readonly Part[]): Promise<readonly Rows[]> {
    const { segments } = parts[0]!;
    const all = parts.map(({ rows }) => rows);
    return inOneTurn(this.pool, (connection) => writeChanges(connection, all, segments));
  }
}

function bySegments(parts: readonly Part[]): readonly (readonly Part[])[] {
  const groups: Part[][] = [];
  for (const part of parts) {
    const group = groups.find(([first]) => isSame(first!.segments, part.segments));
    if (group) group.push(part);
    else groups.push([part]);
  }
  return groups;
}

/** The window gives the same segments to followers that stand at the same position. */
const isSame = (one: readonly LogSegment[], other: readonly LogSegment[]): boolean =>
  one.length === other.length && one.every((segment, at) => segment === other[at]);
