// Checks the types of everything by TypeScript 7, which also compiles what ships. Nest's and other tools need the API of TypeScript 6.
// `--beside-build` leaves out what `npm run build` finds, too.
import { spawnSync } from 'node:child_process';

const tsc = 'node_modules/typescript-7/bin/tsc';
const declarations = process.argv.includes('--beside-build') ? [] : [['-p', 'tsconfig.declarations.json']];
const checks = [['--noEmit'], ...declarations, ['-p', 'packages/dashboard']];

const failed = checks.filter(
  (options) => spawnSync(process.execPath, [tsc, ...options], { stdio: 'inherit' }).status !== 0,
);
process.exitCode = failed.length > 0 ? 1 : 0;
