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

/** Which segments an export is of, as its head says. What is null bounds nothing. */
export interface ExportScope {
  readonly queue: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

/** Takes an export of the log part by part, and compares it with its seal. Each method throws SealError where it is not what the key signed. */
export class ExportCheck {
  readonly log: Checkpoint;
  readonly sums: { -readonly [Name in keyof ExportSums]: number } = { segments: 0, events: 0, halves: 0, leftOut: 0 };
  private readonly range = new CompactRange(hashing);
  private reached = 0n;
  private isOver = false;

  constructor(
    seal: string,
    private readonly scope: ExportScope,
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
    if (this.isOver) throw new SealError('no segment after what is left out at the end', leaf);
    if (checked.position <= this.reached) throw new SealError(`a position after ${this.reached}`, leaf);
    this.reach(position, checked.position + BigInt(events.length) - 1n);
    const { queue } = this.scope;
    if (queue !== null && !text.includes(JSON.stringify(queue)))
      throw new SealError(`an event of the queue '${queue}' at position ${checked.position}`, text);
    const commitments = new Map(events.map(({ commitment }, at) => [at, commitment]));
    this.sums.halves += checkedHalves(checked.position, halves, commitments).size;
    this.sums.segments++;
    this.sums.events += events.length;
    this.range.add(leafHash(leaf));
  }

  private takeLeftOut({ position, leaves, hashes }: LeftOutPart): void {
    const { size } = this.range;
    this.checkMayLack(leaves);
    if (leaves < 1 || size + leaves > this.log.size)
      throw new SealError(`from 1 to ${this.log.size - size} leaves that are left out`, String(leaves));
    const ranges = completeRanges({ start: size, end: size + leaves });
    if (hashes.length !== ranges.length) throw new SealError(`${ranges.length} hashes`, String(hashes.length));
    ranges.forEach(({ start, end }, at) => this.range.add(bytesIn(hashes[at]!, HASH_BYTES, 'a hash'), end - start));
    this.sums.leftOut += leaves;
    this.reach(position, BigInt(position));
  }

  /** Of a range of time, leaves are left out before its beginning and after its end only; of the whole log, none. */
  private checkMayLack(leaves: number): void {
    const { queue, from, to } = this.scope;
    if (queue !== null) return;
    const isBefore = this.sums.segments === 0 && from !== null;
    if (!isBefore && to === null)
      throw new SealError('every segment, because the head says that none of these is left out', `${leaves} left out`);
    this.isOver ||= !isBefore;
  }

  private reach(said: string, position: bigint): void {
    if (String(position) !== said || position <= this.reached)
      throw new SealError(`a part that ends at a position after ${this.reached}, as it says`, said);
    this.reached = position;
  }
}
