// Runs a script on the Node that this folder installs, because the peers need a newer one than Waybill; on this one where
// it is not installed.
//   node bench/on-bench-node.mjs bench/peers.mjs [arguments]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const installed = fileURLToPath(new URL('node_modules/node/bin/node', import.meta.url));
const node = existsSync(installed) ? installed : process.execPath;
const child = spawn(node, process.argv.slice(2), { stdio: 'inherit' });
// A terminal interrupts both processes. This one waits for the other's end.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => child.kill());
const [code] = await once(child, 'exit');
process.exitCode = code ?? 1;
