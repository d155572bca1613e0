// Installs the systems that Waybill is measured beside, and the Node that runs them, into this folder alone.
//   npm run bench:setup
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const changed = (path) => statSync(new URL(path, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (changed('node_modules/.package-lock.json') < changed('package-lock.json')) {
  // The peers require the Node that is being installed beside them, so npm's warning about that is expected.
  const install = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', install, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0) console.error('Expected to install the peers, but npm failed: those that are missing are left out');
}
