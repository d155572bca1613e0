import type { ModelRebuild } from './model-rebuild.js';

export type { ModelRebuild };

/** A row that is not as the log says. */
export interface DifferingRow {
  readonly table: string;
  readonly key: Readonly<Record<string, unknown>>;
  /** Null: the row is missing. */
  readonly live: Readonly<Record<string, unknown>> | null;
  /** As the log says; null: there is no such row. */
  readonly rebuilt: Readonly<Record<string, unknown>> | null;
}

export interface RebuildDiff {
  /** Of both sides. */
  readonly position: bigint;
  readonly rows: number;
  /** The first of them by table and key, at most 20. */
  readonly first: readonly DifferingRow[];
}

export interface RebuildProgress {
  readonly position: bigint;
  readonly head: bigint;
}

/** Who asks for a rebuild. */
export interface RebuildCall {
  /** The id of the order. An order that replaced rows does not replace any again, however often it is carried out. */
  readonly order: string;
  readonly fencingToken: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: RebuildProgress) => void;
}

/** `occupied`: another rebuild of the read model is under way. `refused`: it cannot be done, and why. */
export type RebuildOutcome =
  | ({ readonly kind: 'compared' } & RebuildDiff)
  | { readonly kind: 'replaced' }
  | { readonly kind: 'occupied' }
  | { readonly kind: 'refused'; readonly says: string };

/** Builds read models anew, beside those in use. */
export abstract class ModelRebuilds {
  /** Changes nothing that readers see unless it ends as `replaced`. Throws what the signal says, and if an event cannot be applied. */
  abstract carryOut(rebuild: ModelRebuild, call: RebuildCall): Promise<RebuildOutcome>;
}
