import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
}

const tagged = (tag: number, ...content: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(content);
  const long = body.length < 128 ? [] : body.length < 256 ? [0x81] : [0x82, body.length >> 8];
  return Buffer.concat([Buffer.from([tag, ...long, body.length & 0xff]), body]);
};
const sequence = (...content: readonly Uint8Array[]): Buffer => tagged(0x30, ...content);
const objectId = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));
const bits = (content: Uint8Array): Buffer => tagged(0x03, Buffer.from([0]), content);

const COMMON_NAME = objectId('550403');
const SUBJECT_ALT_NAME = objectId('551d11');
const BASIC_CONSTRAINTS = objectId('551d13');
const ECDSA_WITH_SHA256 = sequence(objectId('2a8648ce3d040302'));
const LOOPBACK = Buffer.from([127, 0, 0, 1]);

const nameOf = (name: string): Buffer => sequence(tagged(0x31, sequence(COMMON_NAME, tagged(0x0c, Buffer.from(name)))));
const utc = (time: Date): Buffer =>
  tagged(
    0x17,
    Buffer.from(
      `${time
        .toISOString()
        .replace(/[-:T]|\.\d+/g, '')
        .slice(2)}`,
    ),
  );

/**
 * A self-signed certificate for a server on this machine. Created here, because not every machine has a tool for it.
 */
export function selfSigned(host = 'localhost'): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const now = Date.now();
  const validity = sequence(utc(new Date(now - 3_600_000)), utc(new Date(now + 24 * 3_600_000)));
  const names = sequence(tagged(0x82, Buffer.from(host)), tagged(0x87, LOOPBACK));
  const extensions = sequence(
    sequence(SUBJECT_ALT_NAME, tagged(0x04, names)),
    sequence(BASIC_CONSTRAINTS, tagged(0x04, sequence(tagged(0x01, Buffer.from([0xff]))))),
  );
  const content = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    nameOf(host),
    validity,
    nameOf(host),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  );
  const whole = sequence(content, ECDSA_WITH_SHA256, bits(sign('sha256', content, privateKey)));
  const lines = whole
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n');
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { key, cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` };
}

/** The file of the certificate, for clients that should trust it. */
export function inFile({ cert }: Certificate): string {
  const file = join(mkdtempSync(join(tmpdir(), 'waybill-ca-')), 'ca.crt');
  writeFileSync(file, cert);
  return file;
}
