import { base64 } from '../../domain/kernel/base64.js';
import { consistencyPath, inclusionPath } from '../../domain/merkle/proofs.js';
import type { LeafRange } from '../../domain/merkle/ranges.js';
import { TILE_WIDTH } from '../../domain/merkle/tile-paths.js';
import { tlogProofText } from '../../domain/seals/tlog-proof.js';
import {
  LogProofs,
  type PrivateHalf,
  type Sealed,
  type SegmentProofs,
} from '../../projections/seals/log-proofs.port.js';
import type { LeafSource, LogLeaves } from './log-leaves.port.js';
import type { LogTree } from './log-tree.js';

/** Of texts in one proof, so that many large segments do not fill the memory. The first segment is always in it. */
const MOST_BYTES = 8 * 1_024 * 1_024;
/** A segment has 4 MiB at most. */
const SOURCES_AT_ONCE = 8;

/** Made of the stored segments and the stored tree, so whoever gets one has to verify it. */
export class StoredProofs extends LogProofs {
  constructor(
    private readonly leaves: LogLeaves,
    private readonly tree: Pick<LogTree, 'rootsOf' | 'tileOf'>,
    readonly isWhole: boolean,
  ) {
    super();
  }

  async of(positions: readonly bigint[], sealed: Sealed, stream: string | null): Promise<SegmentProofs> {
    const { sources, isCut } = await this.sourcesOf(positions);
    const indexes = await this.indexesOf(sources);
    const paths = indexes.map((index) => inclusionPath(index, sealed.size)!);
    const roots = [...(await this.tree.rootsOf(paths.flat() satisfies readonly LeafRange[], sealed.size))];
    const segments = sources.map((source, at) => ({
      position: String(source.first),
      leaf: source.leaf.text,
      text: source.text,
      proof: tlogProofText({ index: indexes[at]!, hashes: roots.splice(0, paths[at]!.length), seal: sealed.note }),
      private: stream === null ? [] : halvesOf(source, stream),
    }));
    return { segments, isCut };
  }

  async places(positions: readonly bigint[]): Promise<readonly number[]> {
    return this.indexesOf(await this.leaves.sources(positions));
  }

  async consistency(old: number, size: number): Promise<readonly string[]> {
    return (await this.tree.rootsOf(consistencyPath(old, size)!, size)).map(base64);
  }

  private async sourcesOf(positions: readonly bigint[]) {
    const sources: LeafSource[] = [];
    for (let at = 0, bytes = 0; at < positions.length; at += SOURCES_AT_ONCE) {
      const found = await this.leaves.sources(positions.slice(at, at + SOURCES_AT_ONCE));
      for (const source of found.filter(({ first }) => first !== sources.at(-1)?.first)) {
        bytes += bytesOf(source);
        if (bytes > MOST_BYTES && sources.length > 0) return { sources, isCut: true };
        sources.push(source);
      }
    }
    return { sources, isCut: false };
  }

  /** The places of the leaves in the tree. Events of a task are often in few tiles, each of which is read once. */
  private async indexesOf(sources: readonly LeafSource[]): Promise<readonly number[]> {
    const places = new Map<bigint, number>();
    for (const { leaf } of sources) {
      if (places.has(leaf.position)) continue;
      const { index, after } = await this.tree.tileOf(leaf.position);
      const all = await this.leaves.after(after, TILE_WIDTH);
      all.forEach(({ position }, at) => places.set(position, index * TILE_WIDTH + at));
    }
    return sources.map(({ leaf }) => places.get(leaf.position)!);
  }
}

const bytesOf = ({ text, halves }: LeafSource): number =>
  halves.reduce((bytes, half) => bytes + Buffer.byteLength(half?.line ?? ''), Buffer.byteLength(text));

const halvesOf = (source: LeafSource, stream: string): readonly PrivateHalf[] =>
  source.streams.flatMap((one, event) => (one === stream ? halfAt(source, event) : []));

/** The private half of an event of the segment, by its place; none if it has none, or it is erased. */
export function halfAt({ halves }: LeafSource, event: number): readonly PrivateHalf[] {
  const half = halves[event];
  return half ? [{ event, salt: half.salt.toString('base64'), half: half.line }] : [];
}
