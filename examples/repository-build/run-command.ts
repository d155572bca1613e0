import type { RunState } from '@waybill/client';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The end of a command's output that its task keeps. */
const TAIL_CHARACTERS = 1_000;

/** Runs a program of Node in the folder, and ends it when the task is cancelled. Returns the end of what it printed. */
export async function runCommand(_id: string, run: RunState, folder: string, args: readonly string[]) {
  run.check();
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = (): boolean => child.kill('SIGTERM');
  run.signal.addEventListener('abort', stop);
  let tail = '';
  const keep = (part: Buffer): void => void (tail = `${tail}${String(part)}`.slice(-TAIL_CHARACTERS));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    run.check();
    if (code !== 0)
      throw new Error(`Expected 'node ${args.join(' ')}' to succeed, but ${endOf(code, signal)}: ${tail}`);
    return { tail: tail.trim() };
  } finally {
    run.signal.removeEventListener('abort', stop);
  }
}

const endOf = (code: number | null, signal: string | null): string =>
  signal === null ? `it ended with code ${code}` : `signal ${signal} ended it`;
