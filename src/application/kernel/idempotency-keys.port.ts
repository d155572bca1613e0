/** The keys that appends have taken. */
export abstract class IdempotencyKeys {
  /** What took the key, as `<fingerprint> <stream> <revision> <position>`; null while it is free. */
  abstract holderOf(key: string): Promise<string | null>;
}
