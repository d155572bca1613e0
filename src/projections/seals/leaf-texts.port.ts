/** The leaves of the tree of the log, as texts. */
export abstract class LeafTexts {
  /** The next ones after the position of a leaf, or 0n: at most `limit`, and fewer only if the log ends there. */
  abstract after(
    position: bigint,
    limit: number,
  ): Promise<readonly { readonly position: bigint; readonly text: string }[]>;
}
