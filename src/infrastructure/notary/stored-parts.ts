import { base64 } from '../../domain/kernel/base64.js';
import { completeRanges } from '../../domain/merkle/ranges.js';
import { TILE_WIDTH } from '../../domain/merkle/tile-paths.js';
import {
  type LeafPlace,
  type LeftOutPart,
  type LogPart,
  LogParts,
  type PartPage,
  type SegmentPart,
  type WantedParts,
} from '../../projections/seals/log-parts.port.js';
import type { LeafSource, LogLeaves } from './log-leaves.port.js';
import type { LogTree } from './log-tree.js';
import { halfAt } from './stored-proofs.js';

/** Made of the stored segments and the stored tree, so whoever gets them has to verify them. */
export class StoredParts extends LogParts {
  constructor(
    private readonly leaves: Pick<LogLeaves, 'after' | 'sourcesAfter'>,
    private readonly tree: Pick<LogTree, 'rootsOf' | 'tileOf'>,
    readonly isWhole: boolean,
  ) {
    super();
  }

  async placeAfter(position: bigint, { sealed }: WantedParts): Promise<LeafPlace> {
    if (position === 0n) return { index: 0, position };
    if (position >= sealed.position) return endOf(sealed);
    const tile = await this.tree.tileOf(position);
    const leaves = await this.leaves.after(tile.after, TILE_WIDTH);
    const before = leaves.filter((leaf) => leaf.position <= position);
    return { index: tile.index * TILE_WIDTH + before.length, position: before.at(-1)?.position ?? tile.after };
  }

  async from(place: LeafPlace, wanted: WantedParts): Promise<PartPage> {
    const end = await this.nextWanted(place, wanted);
    if (end.index > place.index) return { parts: [await this.leftOut(place, end, wanted)], reached: end };
    if (place.index >= wanted.sealed.size) return { parts: [], reached: place };
    return this.read(place, wanted);
  }

  /** Where the next segment begins that may be wanted. */
  private async nextWanted(place: LeafPlace, wanted: WantedParts): Promise<LeafPlace> {
    if (place.position >= wanted.upTo) return endOf(wanted.sealed);
    return place.position < wanted.after ? this.placeAfter(wanted.after, wanted) : place;
  }

  private async read(place: LeafPlace, wanted: WantedParts): Promise<PartPage> {
    const sources = (await this.leaves.sourcesAfter(place.position)).slice(0, wanted.sealed.size - place.index);
    if (sources.length === 0) throw new Error(`Expected a segment after position ${place.position}, but there is none`);
    const parts: LogPart[] = [];
    let [left, reached] = [place, place];
    for (const source of sources) {
      const events = wantedIn(source, wanted);
      if (events.length > 0) {
        if (left.index < reached.index) parts.push(await this.leftOut(left, reached, wanted));
        parts.push(segmentPart(source, wanted.isPrivate ? events : []));
      }
      reached = { index: reached.index + 1, position: source.leaf.position };
      if (events.length > 0) left = reached;
    }
    if (left.index < reached.index) parts.push(await this.leftOut(left, reached, wanted));
    return { parts, reached };
  }

  private async leftOut(from: LeafPlace, to: LeafPlace, { sealed }: WantedParts): Promise<LeftOutPart> {
    const ranges = completeRanges({ start: from.index, end: to.index });
    const hashes = await this.tree.rootsOf(ranges, sealed.size);
    const [position, leaves] = [String(to.position), to.index - from.index];
    return { type: 'LeftOut', position, leaves, hashes: hashes.map(base64) };
  }
}

const endOf = ({ size, position }: WantedParts['sealed']): LeafPlace => ({ index: size, position });

/** Which of the segment's events are wanted, by their places in it. */
function wantedIn(source: LeafSource, { after, upTo, queue }: WantedParts): readonly number[] {
  if (source.leaf.position <= after || source.first > upTo) return [];
  const all = source.streams.map((_, at) => at);
  return queue === null ? all : all.filter(ofQueue(source.text, all.length, queue));
}

/** Whether an event of the segment with this text is of the queue, by its place. */
function ofQueue(text: string, events: number, queue: string): (event: number) => boolean {
  if (!text.includes(JSON.stringify(queue))) return () => false;
  const [, , shared = '-', ...lines] = text.split('\n');
  if (queueIn(shared) !== undefined) return () => queueIn(shared) === queue;
  return (event) => queueIn(lines[events + event]!) === queue;
}

const queueIn = (line: string): unknown =>
  line.startsWith('{') ? (JSON.parse(line) as { readonly queue?: unknown }).queue : undefined;

const segmentPart = (source: LeafSource, events: readonly number[]): SegmentPart => ({
  type: 'Segment',
  position: String(source.leaf.position),
  leaf: source.leaf.text,
  text: source.text,
  private: events.flatMap((event) => halfAt(source, event)),
});
