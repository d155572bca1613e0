import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Debian's, for which its packages are installed. */
export const PYTHON = '/usr/bin/python3';
export const PYTHON_CLIENT = join(import.meta.dirname, '../../clients/python');

/** Runs a module of Python in the folder of the client. */
export const inClient = (...args: string[]) =>
  spawnSync(PYTHON, ['-m', ...args], { cwd: PYTHON_CLIENT, encoding: 'utf8' });
