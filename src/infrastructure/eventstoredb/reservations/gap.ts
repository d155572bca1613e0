/** Events of a stream that the index did not get, or got again. */
export interface Gap {
  readonly kind: 'skipped' | 'doubled';
  readonly stream: string;
  /** Their revisions. */
  readonly first: number;
  readonly last: number;
  /** The positions of the first and the last one. */
  readonly from: bigint;
  readonly to: bigint;
  /** The positions of all of them. */
  readonly positions: readonly bigint[];
}
