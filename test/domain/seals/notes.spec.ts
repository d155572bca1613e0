import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { base64, fromBase64 } from '../../../src/domain/kernel/base64.js';
import { type Checkpoint, checkpointText, parseCheckpoint } from '../../../src/domain/seals/checkpoint.js';
import { noteText, parseNote } from '../../../src/domain/seals/note.js';
import { noteKey, parseVerifierKey, verifierKey } from '../../../src/domain/seals/note-key.js';
import { cosignature, logSignature, signersOf } from '../../../src/domain/seals/signers.js';
import { parseTlogProof, tlogProofText } from '../../../src/domain/seals/tlog-proof.js';
import { sha256, verifySignature } from '../../../src/infrastructure/notary/node-signing.js';
import { signingKey } from '../../support/tree-hashing.js';

/** The example of c2sp.org/signed-note. */
const PUBLISHED_KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
const PUBLISHED_NOTE = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`;

/** The example of c2sp.org/tlog-cosignature. Its keys are not published. */
const PUBLISHED_SEAL = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
`;

const root = sha256(new Uint8Array([7]));
const seal: Checkpoint = { origin: 'example.com/orders', size: 17, root };

/** A log and a witness with new keys, and what both signed. */
function signed() {
  const [log, other] = [signingKey(), signingKey()];
  const key = noteKey('example.com/orders', 'log', log.publicKey, sha256);
  const witness = noteKey('witness.example.com', 'witness', other.publicKey, sha256);
  const text = checkpointText(seal);
  const signatures = [logSignature(key, text, log.sign), cosignature(witness, text, 1_679_315_147, other.sign)];
  return { key, witness, note: { text, signatures } };
}

describe('a note', () => {
  it('is read as the specification writes it, with the key that signed it', () => {
    const key = parseVerifierKey(PUBLISHED_KEY, sha256);
    const note = parseNote(PUBLISHED_NOTE);
    expect([note.text, verifierKey(key), noteText(note)]).toEqual([
      'This is an example message.\n',
      PUBLISHED_KEY,
      PUBLISHED_NOTE,
    ]);
    expect(signersOf(note, [key], verifySignature)).toEqual([{ key, seconds: null }]);
  });

  it('is refused if one character is another', () => {
    const key = parseVerifierKey(PUBLISHED_KEY, sha256);
    const changed = parseNote(PUBLISHED_NOTE.replace('message', 'massage'));
    expect(() => signersOf(changed, [key], verifySignature)).toThrow(
      "Expected the text that example.com/foo signed, but got 'This is an example massage.\n'",
    );
  });

  it('may have empty lines in its text, and signatures of kinds that nobody knows', () => {
    const text = 'Ognuno sta solo\n\ned è subito sera.\n';
    const signatures = [
      { name: 'quasimodo.example/salvatore', keyId: 0xfe_dc_ba_98, bytes: new Uint8Array(2_420).fill(9) },
    ];
    expect(parseNote(noteText({ text, signatures }))).toEqual({ text, signatures });
  });

  it.each([
    ['no signature', 'text\n\n'],
    ['no empty line', 'text\n— a AAAAAAA=\n'],
    ['no end', 'text\n\n— a AAAAAAA='],
    ['a control character', 'te\txt\n\n— a AAAAAAA=\n'],
    ['another dash', 'text\n\n- a AAAAAAA=\n'],
    ['a name with a plus sign', 'text\n\n— a+b AAAAAAA=\n'],
    ['a name with a space', 'text\n\n— a b AAAAAAA=\n'],
    ['a name with a wide space', 'text\n\n— a\u3000b AAAAAAA=\n'],
    ['no signature after the id', 'text\n\n— a AAAAAA==\n'],
    ['another Base64 of the same', 'text\n\n— a AAAAAAB=\n'],
    ['too many signatures', `text\n\n${'— a AAAAAAA=\n'.repeat(101)}`],
  ])('has not %s', (_, note) => {
    expect(() => parseNote(note)).toThrow(/^Expected .+, but got '/);
  });
});

describe('a key', () => {
  it('comes back as it was handed on', () => {
    const { key, witness } = signed();
    expect(parseVerifierKey(verifierKey(key), sha256)).toEqual(key);
    expect(parseVerifierKey(verifierKey(witness), sha256)).toEqual(witness);
  });

  it('of a log is not that of a witness', () => {
    const { publicKey } = signingKey();
    expect(noteKey('a', 'log', publicKey, sha256).id).not.toBe(noteKey('a', 'witness', publicKey, sha256).id);
  });

  it.each([
    ['another id', PUBLISHED_KEY.replace('+530d903a', '+530d903b')],
    ['another name', PUBLISHED_KEY.replace('/foo', '/fox')],
    ['a kind that is unknown', 'example.com/foo+530d903a+BukyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'],
    ['too few bytes', 'example.com/foo+530d903a+Aekyeg=='],
    ['no name', '+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'],
  ])('is refused with %s', (_, text) => {
    expect(() => parseVerifierKey(text, sha256)).toThrow(/^Expected .+, but got '/);
  });
});

describe('a seal', () => {
  it('is read as the specification writes it', () => {
    const note = parseNote(PUBLISHED_SEAL);
    const checkpoint = parseCheckpoint(note.text);
    expect(checkpoint).toMatchObject({ origin: 'example.com/behind-the-sofa', size: 20_852_163 });
    expect([checkpointText(checkpoint), noteText(note)]).toEqual([note.text, PUBLISHED_SEAL]);
  });

  it('says who signed it, and when a witness did', () => {
    const { key, witness, note } = signed();
    expect(parseNote(noteText(note))).toEqual(note);
    expect(signersOf(note, [key, witness], verifySignature)).toEqual([
      { key, seconds: null },
      { key: witness, seconds: 1_679_315_147 },
    ]);
    expect(signersOf(note, [witness], verifySignature)).toEqual([{ key: witness, seconds: 1_679_315_147 }]);
  });

  it('is refused with the time of a witness moved, or without a signature of a known key', () => {
    const { key, witness, note } = signed();
    const later = note.signatures.map((one) =>
      one.name === key.name ? one : { ...one, bytes: one.bytes.with(7, one.bytes[7]! ^ 1) },
    );
    expect(() => signersOf({ ...note, signatures: later }, [key, witness], verifySignature)).toThrow(
      'Expected the text that witness.example.com signed',
    );
    const stranger = noteKey(key.name, 'log', signingKey().publicKey, sha256);
    expect(() => signersOf(note, [stranger], verifySignature)).toThrow(
      "Expected a signature of example.com/orders, but got 'example.com/orders, witness.example.com'",
    );
  });

  it('is refused if a key that it names did not sign it, although another did', () => {
    const { key, witness, note } = signed();
    const forged = note.signatures.map((one) => (one.name === key.name ? { ...one, bytes: new Uint8Array(64) } : one));
    expect(() => signersOf({ ...note, signatures: forged }, [witness, key], verifySignature)).toThrow(
      'Expected the text that example.com/orders signed',
    );
  });

  it('keeps lines that it does not know out of what it says', () => {
    expect(parseCheckpoint(`${checkpointText(seal)}more\n`)).toEqual(seal);
  });

  const [origin, size, hash] = checkpointText(seal).split('\n');
  it.each([
    ['no name', `\n${size}\n${hash}\n`],
    ['a size with a zero before it', `${origin}\n017\n${hash}\n`],
    ['a size that is no number', `${origin}\n1e3\n${hash}\n`],
    ['a size beyond counting', `${origin}\n9007199254740993\n${hash}\n`],
    ['a short root', `${origin}\n${size}\nAAAA\n`],
    ['no last line break', `${origin}\n${size}\n${hash}`],
    ['an empty line', `${origin}\n${size}\n${hash}\n\nmore\n`],
    ['less', `${origin}\n${size}\n`],
  ])('is refused with %s', (_, text) => {
    expect(() => parseCheckpoint(text)).toThrow('Expected the name of a log, a size and a root, but got');
  });
});

describe('a proof to take away', () => {
  const note = noteText(signed().note);

  it.each([
    ['of a tree of one leaf', { index: 0, hashes: [], seal: note }],
    ['with hashes', { index: 9, hashes: [root, sha256(root)], seal: note }],
    ['with more for the verifier', { index: 9, hashes: [root], seal: note, extra: new Uint8Array([1, 2, 3]) }],
  ])('%s comes back as it was written', (_, proof) => {
    expect(parseTlogProof(tlogProofText(proof))).toEqual(proof);
  });

  it('is written as the specification shows it', () => {
    expect(tlogProofText({ index: 73_894, hashes: [root], seal: note, extra: new Uint8Array([1]) })).toBe(
      `c2sp.org/tlog-proof@v1\nextra AQ==\nindex 73894\n${base64(root)}\n\n${note}`,
    );
  });

  it.each([
    ['another format', `c2sp.org/tlog-proof@v2\nindex 0\n\n${note}`],
    ['no index', `c2sp.org/tlog-proof@v1\n\n${note}`],
    ['a negative index', `c2sp.org/tlog-proof@v1\nindex -5\n\n${note}`],
    ['an index with a zero before it', `c2sp.org/tlog-proof@v1\nindex 05\n\n${note}`],
    ['what is no Base64', `c2sp.org/tlog-proof@v1\nextra !!\nindex 0\n\n${note}`],
    ['a hash that is too long', `c2sp.org/tlog-proof@v1\nindex 0\n${base64(new Uint8Array(64))}\n\n${note}`],
    ['no seal', 'c2sp.org/tlog-proof@v1\nindex 0\n'],
  ])('is refused with %s', (_, text) => {
    expect(() => parseTlogProof(text)).toThrow(/^Expected .+, but got '/);
  });
});

describe('Base64', () => {
  it('is that of Node, and one text stands for the same bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
        expect([base64(bytes), fromBase64(base64(bytes))]).toEqual([Buffer.from(bytes).toString('base64'), bytes]);
      }),
    );
  });

  it.each(['A', 'AA', 'AA=', 'AAAA=', 'AB==', 'A A=', '=AAA', 'AA-_'])('is not %s', (text) => {
    expect(fromBase64(text)).toBeNull();
  });
});
