import { join } from 'node:path';

/** Debian's, for which its packages are installed. */
export const PYTHON = '/usr/bin/python3';
export const PYTHON_CLIENT = join(import.meta.dirname, '../../clients/python');
