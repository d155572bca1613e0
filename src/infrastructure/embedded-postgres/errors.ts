/** A problem that a person can fix. The message says in one sentence what it is and what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** The advice that always works, whatever keeps the embedded server from starting. */
export const USE_ANOTHER_SERVER = 'set DATABASE_URL to use a Postgres of your own';

export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));

/**
 * Whether the system refused something, such as access to a file. This is no bug of Waybill, and a person can fix it.
 */
export const isRefusal = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error;

const KNOWN_CAUSES: readonly (readonly [RegExp, string])[] = [
  [/No space left on device|ENOSPC/, 'the disk is full; free some space'],
  [/Read-only file system|EROFS/, 'the folder is on a read-only disk; set WAYBILL_DATA_DIR to another folder'],
  [/Permission denied|EACCES|EPERM/, 'a file may not be read or written; set WAYBILL_DATA_DIR to a folder of your own'],
  [/ENOTDIR|, mkdir /, 'no folder can be made there; set WAYBILL_DATA_DIR to another folder'],
  [/(data|database) files are incompatible/, 'another Postgres version wrote it; set WAYBILL_DATA_DIR to a new folder'],
  [
    /could not (map|create) .*shared memory|Cannot allocate memory/,
    'the machine has too little free memory; free some',
  ],
];

/** Turns the output of a failed program into one sentence: the known cause, or else the last informative line. */
export function errorFor(purpose: string, output: string): EmbeddedPostgresError {
  const known = knownCause(output);
  const remedy = known ? `${known}, or` : `it said "${lastTellingLine(output)}";`;
  return new EmbeddedPostgresError(`Expected to ${purpose}, but ${remedy} ${USE_ANOTHER_SERVER}.`);
}

/** The problem and what to do about it, in words for people; undefined if the output is not known. */
export const knownCause = (output: string): string | undefined =>
  KNOWN_CAUSES.find(([pattern]) => pattern.test(output))?.[1];

function lastTellingLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return (lines.findLast((line) => /error|fatal|could not/i.test(line)) ?? lines.at(-1) ?? 'nothing').trim();
}
