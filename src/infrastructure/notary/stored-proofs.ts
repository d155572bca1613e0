import { inclusionPath } from '../../domain/merkle/proofs.js';
import type { LeafRange } from '../../domain/merkle/ranges.js';
import { TILE_WIDTH } from '../../domain/merkle/tile-paths.js';
import { tlogProofText } from '../../domain/seals/tlog-proof.js';
import {
  LogProofs,
  type PrivateHalf,
  type Sealed,
  type SegmentProof,
} from '../../projections/seals/log-proofs.port.js';
import type { LeafSource, LogLeaves } from './log-leaves.port.js';
import type { LogTree } from './log-tree.js';

/** Made of the stored segments and the stored tree, so whoever gets one has to verify it. */
export class StoredProofs extends LogProofs {
  constructor(
    private readonly leaves: LogLeaves,
    private readonly tree: Pick<LogTree, 'rootsOf' | 'tileOf'>,
    readonly isWhole: boolean,
  ) {
    super();
  }

  async of(positions: readonly bigint[], sealed: Sealed, stream: string | null): Promise<readonly SegmentProof[]> {
    const sources = await this.leaves.sources(positions);
    const indexes = await this.indexesOf(sources);
    const paths = indexes.map((index) => inclusionPath(index, sealed.size)!);
    const roots = [...(await this.tree.rootsOf(paths.flat() satisfies readonly LeafRange[], sealed.size))];
    return sources.map((source, at) => ({
      position: String(source.first),
      leaf: source.leaf.text,
      text: source.text,
      proof: tlogProofText({ index: indexes[at]!, hashes: roots.splice(0, paths[at]!.length), seal: sealed.note }),
      private: stream === null ? [] : halvesOf(source, stream),
    }));
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

const halvesOf = ({ streams, halves }: LeafSource, stream: string): readonly PrivateHalf[] =>
  streams.flatMap((one, event) => {
    const half = one === stream ? halves[event] : null;
    return half ? [{ event, salt: half.salt.toString('base64'), half: half.line }] : [];
  });
