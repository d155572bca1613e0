import { isSameHash } from '../../domain/merkle/hashing.js';
import type { TreeHead } from '../../domain/merkle/proofs.js';
import type { LogLeaves } from './log-leaves.port.js';
import type { LogTree } from './log-tree.js';
import { halfMissing, type LogFinding, LogVerification } from './verification.js';

/** Of each round, so that a seal is hardly later for it. */
const WORK_MS = 1_000;
/** Of single events, mostly: pages of batches end at their bytes. A round looks at the clock after each page. */
const LEAVES_AT_ONCE = 1_024;
/** A pass begins so long after the one before: what was right then may have been changed since. */
const AGAIN_MS = 86_400_000;

/** How far a pass is. */
export interface Audited {
  /** Of the last event whose text was read. */
  readonly position: bigint;
  /** When the pass began. */
  readonly since: Date;
  /** Where the log is not what was sealed; null if that is not known. */
  readonly fault: bigint | null;
}

/** A fault that was found at a position. The notary signs nothing before a later pass finds it mended. */
interface Fault {
  readonly position: bigint;
  readonly says: string;
}

interface Pass {
  readonly verification: LogVerification;
  readonly since: Date;
  readonly found: LogFinding[];
  position: bigint;
  /** Halves that were missing at the last end. An erasure is recorded first, so the next end explains them. */
  missing: ReadonlySet<string>;
}

/** Parts of an audit. */
export interface AuditParts {
  readonly leaves: Pick<LogLeaves, 'checked' | 'outside' | 'misnamed'>;
  readonly tree: Pick<LogTree, 'leafHashes'>;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

/** Makes digests, commitments and leaves of the log anew from its text, a part in each round, and compares them with the tree. */
export class LogAudit {
  private pass: Pass | null = null;
  private fault: Fault | null = null;
  private readonly clock: () => number;

  constructor(private readonly parts: AuditParts) {
    this.clock = parts.clock ?? Date.now;
  }

  /** Begins anew. `fault`: where an earlier notary found one. */
  begin(fault: bigint | null): void {
    this.pass = null;
    this.fault = fault === null ? null : { position: fault, says: 'an earlier audit found it changed' };
  }

  /** Why nothing may be signed; null if nothing is known. */
  get why(): string | null {
    return this.fault && `the log is not what was sealed, at position ${this.fault.position}: ${this.fault.says}`;
  }

  /** Goes on for a second at most, up to the end of this tree. */
  async goOn(head: TreeHead): Promise<Audited> {
    const pass = (this.pass ??= await this.begun());
    const until = performance.now() + WORK_MS;
    while (pass.verification.size < head.size && pass.found.length === 0 && performance.now() < until)
      await this.take(pass, head.size);
    if (pass.verification.size === head.size) this.end(pass, head);
    this.judge(pass);
    return { position: pass.position, since: pass.since, fault: this.fault?.position ?? null };
  }

  private async begun(): Promise<Pass> {
    const found: LogFinding[] = [];
    // A clock that was set back changes nothing that was sealed.
    const verification = new LogVerification([], (finding) => {
      if (finding.kind !== 'TIME_BACK') found.push(finding);
    });
    verification.takeOutside(await this.parts.leaves.outside());
    verification.takeMisnamed(await this.parts.leaves.misnamed());
    return { verification, found, since: new Date(this.clock()), position: 0n, missing: new Set() };
  }

  private async take(pass: Pass, size: number): Promise<void> {
    const { verification } = pass;
    const count = Math.min(LEAVES_AT_ONCE, size - verification.size);
    const page = await this.parts.leaves.checked(pass.position, count);
    const stored = await this.parts.tree.leafHashes(verification.size, page.length);
    page.forEach((leaf, at) => verification.take(leaf, stored[at]));
    pass.position = page.at(-1)?.position ?? pass.position;
    if (page.length === 0) pass.found.push({ kind: 'SHORTER', position: pass.position, says: 'the log ends here' });
  }

  private end(pass: Pass, { root }: TreeHead): void {
    const missing = pass.verification.missingHalves();
    const unexplained = missing.find(({ stream }) => pass.missing.has(stream));
    if (unexplained) pass.found.push(halfMissing(unexplained));
    pass.missing = new Set(missing.map(({ stream }) => stream));
    if (!isSameHash(pass.verification.root(), root))
      pass.found.push({ kind: 'CONFLICT', position: pass.position, says: 'the texts up to here have another root' });
  }

  /** A fault is over once a pass without one is behind it. Then, or after a day, the next pass begins. */
  private judge(pass: Pass): void {
    const [found] = pass.found;
    if (found) this.fault = { position: found.position ?? pass.position, says: `${found.kind}, ${found.says}` };
    else if (this.fault && pass.position >= this.fault.position) this.fault = null;
    if (found || this.clock() - pass.since.getTime() > AGAIN_MS) this.pass = null;
  }
}
