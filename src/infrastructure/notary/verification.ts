import { CompactRange, type RangeParts } from '../../domain/merkle/compact-range.js';
import { type Hash, isSameHash } from '../../domain/merkle/hashing.js';
import type { TreeHead } from '../../domain/merkle/proofs.js';
import { ErasedHalves, type MissingHalf } from './erased-halves.js';
import type { CheckedLeaf, MisnamedStream } from './log-leaves.port.js';
import { hashing } from './node-signing.js';
import type { SaidOfLog } from './said-of-log.js';

/**
 * What is wrong with a log. ALTERED: a segment is not what its digest or the stored tree says, or has no time. GAP: positions lack, or come twice.
 * TIME_BACK: a segment claims to be older than the one before it. CONFLICT: the log had another beginning when a seal was signed. SHORTER: it
 * had more when one was. HALF_MISSING: a private half is gone, and no later event says that it was erased. TOO_OLD: a segment claims to be
 * older than a witness's time for a log without it. KEY_RETIRED: a seal covers more than its key signed before it was retired.
 */
export type FindingKind =
  | 'ALTERED'
  | 'GAP'
  | 'TIME_BACK'
  | 'TOO_OLD'
  | 'CONFLICT'
  | 'SHORTER'
  | 'HALF_MISSING'
  | 'KEY_RETIRED';

export interface LogFinding {
  readonly kind: FindingKind;
  /** Of the event where it shows; null if it concerns a seal. */
  readonly position: bigint | null;
  readonly says: string;
}

/** A kept seal: what it says, and its own text to show. */
export interface KeptSeal extends TreeHead {
  /** The name of the log. */
  readonly log: string;
  /** The key of the log after it, as verifiers take it, if it is the last seal of its log. */
  readonly nextKey: string | null;
  readonly note: string;
  /** The latest time, in milliseconds since 1970, at which a trusted witness cosigned it; null if none did. */
  readonly witnessedMs: number | null;
}

/** What of a log was verified: a beginning, and the leaf that follows it, with which the next verification begins. */
export interface VerifiedPart extends RangeParts {
  /** Of the last event of the beginning. */
  readonly position: bigint;
  /** The position that comes next; null where positions have gaps. */
  readonly next: bigint | null;
  /** The latest time in it, in milliseconds since 1970, since one was back. */
  readonly latest: number;
  readonly leaf: Hash;
  /** What it says of logs that ended. */
  readonly ends: readonly LogEnding[];
}

/** Clocks of machines differ, and appends get their times before their places. */
const MOST_BACK_MS = 60_000;

/** Takes a log leaf by leaf, and compares it with itself and with seals that were kept. */
export class LogVerification {
  private readonly range: CompactRange;
  private readonly seals: readonly KeptSeal[];
  /** The position that comes next; null where positions have gaps. */
  private next: bigint | null;
  private hasGap = false;
  /** The latest time, in milliseconds since 1970, since one was back. */
  private latest: number;
  /** Of the last event so far. */
  private reached: bigint;
  private beginning: Omit<VerifiedPart, 'leaf'> | null = null;
  private last: Hash | null = null;
  /** The latest time at which a witness knew a beginning of the log that ends before the next leaf. */
  private witnessedMs: number;
  private readonly halves = new ErasedHalves();
  private readonly ends: LogEnding[];

  /** `since`: what was verified before, so that the first leaf is the last one of that. Smaller seals were compared then. */
  constructor(
    seals: readonly KeptSeal[],
    private readonly find: (finding: LogFinding) => void,
    private readonly since: VerifiedPart | null = null,
  ) {
    const { position = 0n, next = null, latest = 0, ends = [] } = since ?? {};
    this.ends = [...ends];
    [this.reached, this.next, this.latest] = [position, next, latest];
    this.range = new CompactRange(hashing, since ?? undefined);
    this.seals = [...seals].sort((one, other) => one.size - other.size);
    const before = this.seals.filter(({ size }) => size < this.size);
    this.witnessedMs = Math.max(0, ...before.flatMap(({ witnessedMs }) => witnessedMs ?? []));
    this.compare();
  }

  /** Where the next leaf begins. */
  get position(): bigint {
    return this.reached;
  }

  /** Up to the last leaf; null without any. */
  get verified(): VerifiedPart | null {
    return this.beginning && this.last && { ...this.beginning, leaf: this.last };
  }

  /** Before a leaf that may be the last one. */
  mark(): void {
    const { reached: position, next, latest } = this;
    this.beginning = { ...this.range.parts(), position, next, latest, ends: [...this.ends] };
  }

  get size(): number {
    return this.range.size;
  }

  /** Of the leaves so far. */
  root(): Hash {
    return this.range.root();
  }

  /** What the leaves so far say of the logs that came one after another. */
  said(): readonly SaidOfLog[] {
    return this.ends;
  }

  /** Those that no event so far says were erased. */
  missingHalves(): readonly MissingHalf[] {
    return this.halves.unexplained();
  }

  /** Events at positions that are in no log. */
  takeOutside(positions: readonly bigint[]): void {
    for (const position of positions) this.find({ kind: 'GAP', position, says: 'the log begins with position 1' });
  }

  /** Names are not in the leaves, but follow from the ids of streams, which are. */
  takeMisnamed(streams: readonly MisnamedStream[]): void {
    for (const { position, name } of streams) {
      const says = name === null ? 'the name of its stream lacks' : `its stream is not that of the name '${name}'`;
      this.find({ kind: 'ALTERED', position, says });
    }
  }

  /** `stored`: the hash of this leaf in the stored tree; undefined if that is not so far. */
  take(leaf: CheckedLeaf, stored: Hash | undefined): void {
    const { hash, notes } = leaf;
    if (this.last === null) this.compareWithBefore(leaf);
    this.comparePosition(leaf);
    const position = leaf.first ?? leaf.position;
    if (notes.isAltered)
      this.find({
        kind: 'ALTERED',
        position,
        says: 'the text is not that of the digest, or not what an erasure leaves',
      });
    // Behind a gap, every leaf stands in another place of the tree.
    else if (!this.hasGap && stored && !isSameHash(stored, hash))
      this.find({ kind: 'ALTERED', position, says: 'its leaf is not the one in the tree' });
    this.compareTime(leaf);
    this.halves.take(notes);
    this.range.add(hash);
    for (const said of notes.says ?? []) this.ends.push({ ...said, size: this.range.size });
    [this.last, this.reached] = [hash, leaf.position];
    this.compare();
  }

  /** After the last leaf. */
  end(): TreeHead {
    if (this.since !== null && this.last === null)
      this.find({
        kind: 'SHORTER',
        position: null,
        says: `of the ${this.size + 1} leaves verified before, the last lacks`,
      });
    for (const seal of this.seals.filter(({ size }) => size > this.size))
      this.find({
        kind: 'SHORTER',
        position: null,
        says: `the log has ${this.size} leaves, but this was sealed:\n${seal.note}`,
      });
    this.compareEnds();
    for (const half of this.halves.unexplained()) this.find(halfMissing(half));
    return { size: this.size, root: this.range.root() };
  }

  /** With the seals of keys that were retired, and of two last seals with each other. */
  private compareEnds(): void {
    for (const { log, size, position } of this.ends.filter(({ type }) => type === 'NotaryKeyRetired'))
      for (const { note } of this.seals.filter((seal) => seal.log === log && seal.size > size)) {
        const says = `the key of '${log}' was retired here and signs no more than ${size} leaves, but this was sealed:\n${note}`;
        this.find({ kind: 'KEY_RETIRED', position, says });
      }
    for (const { note, other } of contradictions(this.seals)) {
      const says = `two last seals name different keys for the log after theirs:\n${note}\nand this:\n${other}`;
      this.find({ kind: 'CONFLICT', position: null, says });
    }
  }

  private compareWithBefore({ first, position, hash }: CheckedLeaf): void {
    if (this.since === null || isSameHash(this.since.leaf, hash)) return;
    this.find({
      kind: 'CONFLICT',
      position: first ?? position,
      says: 'its leaf is not the one that was verified before',
    });
  }

  private comparePosition({ first, position }: CheckedLeaf): void {
    if (first === null) return;
    const expected = this.next ?? 1n;
    if (first !== expected) {
      this.hasGap = true;
      this.find({ kind: 'GAP', position: first, says: `position ${expected} should come next` });
    }
    this.next = position + 1n;
  }

  /** Once for all that follows a clock that was set back. */
  private compareTime(leaf: CheckedLeaf): void {
    const { recordedMs: at } = leaf;
    // It is not compared: every comparison with NaN is false, also those that follow.
    if (Number.isNaN(at)) return this.findTime('ALTERED', leaf, 'a time that no build writes');
    this.compareWithWitness(leaf);
    if (at < this.latest - MOST_BACK_MS) {
      this.findTime('TIME_BACK', leaf, `${iso(at)}, and one before it at ${iso(this.latest)}`);
      this.latest = at;
    } else this.latest = Math.max(this.latest, at);
  }

  private compareWithWitness(leaf: CheckedLeaf): void {
    const { recordedMs: at } = leaf;
    if (at >= this.witnessedMs - MOST_BACK_MS) return;
    const when = `${iso(at)}, and a witness cosigned the log without it at ${iso(this.witnessedMs)}`;
    this.findTime('TOO_OLD', leaf, when);
  }

  private findTime(kind: 'ALTERED' | 'TIME_BACK' | 'TOO_OLD', { first, position }: CheckedLeaf, when: string): void {
    this.find({ kind, position: first ?? position, says: `it was recorded at ${when}` });
  }

  /** With the seals of this size. */
  private compare(): void {
    const seals = this.seals.filter(({ size }) => size === this.size);
    if (seals.length === 0) return;
    const witnessed = seals.flatMap(({ witnessedMs }) => witnessedMs ?? []);
    this.witnessedMs = Math.max(this.witnessedMs, ...witnessed);
    // What claims to be later than a witness saw it had a clock that was ahead: what follows by the right time is not back.
    this.latest = Math.min(this.latest, ...witnessed);
    const root = this.range.root();
    const [now] = seals.filter((one) => isSameHash(one.root, root));
    const what = `the first ${this.size} leaves have the root ${Buffer.from(root).toString('base64')}`;
    for (const { note } of seals.filter((one) => !isSameHash(one.root, root))) {
      const says = `${what}, but this was sealed:\n${note}${now ? `\nand this, with which the log agrees:\n${now.note}` : ''}`;
      this.find({ kind: 'CONFLICT', position: null, says });
    }
  }
}

const iso = (ms: number): string => new Date(ms).toISOString();

export const halfMissing = ({ position, stream }: MissingHalf): LogFinding => ({
  kind: 'HALF_MISSING',
  position,
  says: `no later event says that halves of '${stream}' were erased`,
});

/** `size`: so many leaves are up to the event that says so. */
export type LogEnding = SaidOfLog & { readonly size: number };

/** A log has one last seal. Whoever stole its key may have signed another one. */
function contradictions(seals: readonly KeptSeal[]) {
  const last = seals.filter(({ nextKey }) => nextKey !== null);
  return last.flatMap((one, at) =>
    last
      .slice(at + 1)
      .filter((other) => other.log === one.log && other.nextKey !== one.nextKey)
      .map((other) => ({ note: one.note, other: other.note })),
  );
}
