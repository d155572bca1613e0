import { createRequire } from 'node:module';
import { join } from 'node:path';

/** What `@sigstore/verify` is given of a log that it trusts, and of a proof. It exports neither check, but both are its own. */
interface Sigstore {
  verifyCheckpoint(entry: object, logs: readonly object[]): object;
  verifyMerkleInclusion(entry: object, checkpoint: object): void;
}

const installed = createRequire(join(process.cwd(), 'package.json'));

export const sigstore = {
  ...installed('@sigstore/verify/dist/tlog/checkpoint.js'),
  ...installed('@sigstore/verify/dist/tlog/merkle.js'),
} as Sigstore;
