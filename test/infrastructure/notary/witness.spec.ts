import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkpointText } from '../../../src/domain/seals/checkpoint.js';
import { noteKey } from '../../../src/domain/seals/note-key.js';
import { logSignature } from '../../../src/domain/seals/signers.js';
import { sha256 } from '../../../src/infrastructure/notary/node-signing.js';
import { Witness } from '../../../src/infrastructure/notary/witness.js';
import { TestWitness } from '../../support/test-witness.js';
import { leafHashes, naiveRoot, signingKey } from '../../support/tree-hashing.js';

describe('a witness', () => {
  let service: TestWitness;
  beforeAll(async () => {
    service = await TestWitness.start('w.example');
  });
  afterAll(() => service.stop());

  /** A seal of so many leaves of a log of this name. */
  function sealOf(origin: string, size: number) {
    const { publicKey, sign } = signingKey();
    const seal = { origin, size, root: naiveRoot(leafHashes(size)) };
    const text = checkpointText(seal);
    const signature = logSignature(noteKey(origin, 'log', publicKey, sha256), text, sign);
    return [seal, { text, signatures: [signature] }] as const;
  }

  it('cosigns the first seal of the next log, which has fewer leaves than the log before', async () => {
    // No log goes on from another one here, so no proof has any hashes.
    const witness = new Witness(service.options, { rootsOf: () => Promise.resolve([]) });
    expect(await witness.cosign(...sealOf('log.example', 5))).toMatchObject({ kind: 'cosigned' });
    expect(await witness.cosign(...sealOf('log.example/2', 3))).toMatchObject({ kind: 'cosigned' });
  });
});
