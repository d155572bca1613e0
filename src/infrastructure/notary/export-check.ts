import { CompactRange } from '../../domain/merkle/compact-range.js';
import { HASH_BYTES, isSameHash } from '../../domain/merkle/hashing.js';
import { completeRanges } from '../../domain/merkle/ranges.js';
import type { Checkpoint } from '../../domain/seals/checkpoint.js';
import type { NoteKey } from '../../domain/seals/note-key.js';
import { SealError } from '../../domain/seals/seal-error.js';
import type { LeftOutPart, LogPart, SegmentPart } from '../../projections/seals/log-parts.port.js';
import { hashing } from './node-signing.js';
import { bytesIn, checkedHalves, checkedSeal, checkedText, leafHash } from './segment-check.js';

/** What an export has. */
export interface ExportSums {
  readonly segments: number;
  readonly events: number;
  /** Of these, how many have the private half that was committed to. */
  readonly halves: number;
  /** Leaves whose segments it leaves out. */
  readonly leftOut: number;
}

/** Takes an export of the log part by part, and compares it with its seal. Each method throws SealError where it is not what the key signed. */
export class ExportCheck {
  readonly log: Checkpoint;
  readonly sums: { -readonly [Name in keyof ExportSums]: number } = { segments: 0, events: 0, halves: 0, leftOut: 0 };
  private readonly range = new CompactRange(hashing);
  private reached = 0n;

  constructor(
    seal: string,
    private readonly queue: string | null,
    key: NoteKey,
  ) {
    this.log = checkedSeal(seal, key);
  }

  take(part: LogPart): void {
    if (part.type === 'Segment') this.takeSegment(part);
    else this.takeLeftOut(part);
  }

  /** After the last part. */
  end(): void {
    const { size, root } = this.log;
    if (this.range.size !== size) throw new SealError(`${size} leaves`, String(this.range.size));
    if (!isSameHash(this.range.root(), root))
      throw new SealError('the root in the seal', Buffer.from(this.range.root()).toString('base64'));
  }

  private takeSegment({ position, leaf, text, private: halves }: SegmentPart): void {
    const checked = checkedText({ leaf, text });
    const { events } = checked;
    if (checked.position <= this.reached) throw new SealError(`a position after ${this.reached}`, leaf);
    this.reach(position, checked.position + BigInt(events.length) - 1n);
    if (this.queue !== null && !text.includes(JSON.stringify(this.queue)))
      throw new SealError(`an event of the queue '${this.queue}' at position ${checked.position}`, text);
    const commitments = new Map(events.map(({ commitment }, at) => [at, commitment]));
    this.sums.halves += checkedHalves(checked.position, halves, commitments).size;
    this.sums.segments++;
    this.sums.events += events.length;
    this.range.add(leafHash(leaf));
  }

  private takeLeftOut({ position, leaves, hashes }: LeftOutPart): void {
    const { size } = this.range;
    if (leaves < 1 || size + leaves > this.log.size)
      throw new SealError(`from 1 to ${this.log.size - size} leaves that are left out`, String(leaves));
    const ranges = completeRanges({ start: size, end: size + leaves });
    if (hashes.length !== ranges.length) throw new SealError(`${ranges.length} hashes`, String(hashes.length));
    ranges.forEach(({ start, end }, at) => this.range.add(bytesIn(hashes[at]!, HASH_BYTES, 'a hash'), end - start));
    this.sums.leftOut += leaves;
    this.reach(position, BigInt(position));
  }

  private reach(said: string, position: bigint): void {
    if (String(position) !== said || position <= this.reached)
      throw new SealError(`a part that ends at a position after ${this.reached}, as it says`, said);
    this.reached = position;
  }
}
