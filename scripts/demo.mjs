import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { checkNode } from './check-node.mjs';

checkNode();
// Only now: on a Node that is too old this import would fail with a stack instead of a sentence.
const { transpile } = await import('./transpile.mjs');
await transpile();

const demo = fileURLToPath(new URL('../examples/dist/demo/main.js', import.meta.url));
const child = spawn(process.execPath, ['--enable-source-maps', demo, ...process.argv.slice(2)], { stdio: 'inherit' });
// The terminal sends Ctrl-C to both; this process waits for the demo to finish its own shutdown.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
