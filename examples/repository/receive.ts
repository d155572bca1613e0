import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kindOf, type PayloadKind } from './manifests.js';

/** What a depositor sends. */
export interface Submission {
  /** A UUID: a submission that is sent again is the same. */
  readonly id: string;
  readonly profile: string;
  readonly submitter: string;
  readonly fileName: string;
  readonly payload: Uint8Array;
}

export interface Received {
  readonly id: string;
  readonly folder: string;
  readonly kind: PayloadKind;
}

export interface ReceiveRules {
  /** The folder of all submissions. */
  readonly root: string;
  /** The most bytes of a payload that is no manifest. */
  readonly mostBytes: number;
  readonly kinds?: readonly PayloadKind[];
}

/** The most bytes of a payload without a manifest, which the source sets to 30 GB for now. */
export const MOST_BYTES = 30e9;

export class PayloadTooLarge extends Error {
  override readonly name = 'PayloadTooLarge';
}

/** Examines the payload and writes it to the folder of its submission. Throws `PayloadTooLarge` or `CorruptManifest`. */
export async function receive(submission: Submission, { root, mostBytes, kinds }: ReceiveRules): Promise<Received> {
  const { id, fileName, payload } = submission;
  const kind = kindOf(textOf(payload), kinds);
  if (kind.name === 'single file' && payload.byteLength > mostBytes)
    throw new PayloadTooLarge(
      `Expected at most ${mostBytes} bytes without a manifest, but '${fileName}' has ${payload.byteLength}; send a manifest of its files`,
    );
  const folder = join(root, id);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, fileName), payload);
  return { id, folder, kind };
}

/** Of a manifest all, of anything else enough to see that it is none. */
const textOf = (payload: Uint8Array): string => {
  const text = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  return text.toString('utf8', 0, text.toString('latin1', 0, 2) === '#%' ? undefined : 2);
};
