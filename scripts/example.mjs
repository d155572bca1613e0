import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { checkNode } from '../bin/check-node.js';

// Compiles and runs one of the examples: `node scripts/example.mjs demo --once`.

checkNode();
const [name, ...args] = process.argv.slice(2);
const checkout = fileURLToPath(new URL('..', import.meta.url));

if (process.stderr.isTTY) process.stderr.write('Compiling what has changed (a few seconds the first time) ...\n');
// In separate processes, because the compiler's memory would count as the service's. Their output goes to stderr.
for (const script of ['transpile.mjs', 'dashboard.mjs']) {
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(script, import.meta.url))], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
}

const { main } = await import(`../examples/dist/${name}/main.js`);
process.exitCode = await main(args, process.env, checkout);
// Calls to a store that does not answer may still be open, and would keep the process alive.
setTimeout(() => process.exit(), 1_000).unref();
