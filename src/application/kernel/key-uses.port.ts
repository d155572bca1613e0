/** The last use of an API key. */
export interface KeyUse {
  /** Distinguishes two keys of the same name: the first digits of its hash. */
  readonly id: string;
  readonly name: string;
  /** How long ago it was, in milliseconds. */
  readonly agoMs: number;
}

/** When each API key was used last, by any process. */
export abstract class KeyUses {
  abstract write(uses: readonly KeyUse[]): Promise<void>;

  /** In RFC 3339, by the ids of the keys. Keys that were never used are left out. */
  abstract read(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
