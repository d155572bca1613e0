import type { ErrorClass } from '@waybill/client';
import { basename } from 'node:path';
import { Malformed } from './malformed.js';
import { NoFile } from './read-file.js';

export interface Refusal {
  readonly class: ErrorClass;
  readonly message: string;
}

/** The system's errors for files that a person must look at. */
const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'it is gone',
  ENOTDIR: 'its folder is gone',
  EACCES: 'this process may not read it',
  EPERM: 'this process may not read it',
  ELOOP: 'it is a symbolic link',
  ENXIO: 'it is a device, pipe or socket',
  ENAMETOOLONG: 'its path is too long for this system',
};

/** The system's errors when it is at its limits, which say nothing about the file. */
const TRANSIENT: ReadonlySet<string> = new Set([
  'EIO',
  'EMFILE',
  'ENFILE',
  'EAGAIN',
  'EBUSY',
  'ENOMEM',
  'ESTALE',
  'ETIMEDOUT',
]);

/** Why a file is refused; null if the error says nothing about the file. */
export function refusalOf(error: unknown, path: string): Refusal | null {
  const file = `Expected '${basename(path)}'`;
  if (error instanceof Malformed) return { class: 'business', message: `${file} ${error.message}` };
  if (error instanceof NoFile) {
    return { class: 'business', message: `${file} to be a file, but it is ${error.message}` };
  }
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && path.includes('\uFFFD')) {
    return { class: 'business', message: `${file} to be readable, but its name is not UTF-8` };
  }
  if (UNREADABLE[code]) return { class: 'business', message: `${file} to be readable, but ${UNREADABLE[code]}` };
  return TRANSIENT.has(code) ? { class: 'transient', message: `${file} to be readable, but ${message}` } : null;
}
