import { existsSync } from 'node:fs';

// The reader has closed the pipe (`waybill events | head`), so the work is incomplete. This is a shell's exit code for
// that.
const SIGPIPE = 141;

/** Explains the failure in a checkout that has not been built yet. */
function notBuilt(error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error(
    "Expected the command line to be built, but it is not yet: 'npm run build' does it, and so does the demo.",
  );
  process.exit(1);
}

/** One file where the program is installed, which starts faster, and the modules in a checkout, which has no such file. */
function program() {
  const bundle = new URL('../dist/bundle.js', import.meta.url);
  return existsSync(bundle) ? import(bundle.href) : import('../dist/index.js').catch(notBuilt);
}

/** The program `waybill`. `more`: additional surroundings besides the process. */
export async function run(more = {}) {
  const { argv, env, stdin, stdout, stderr } = process;
  stdout.on('error', (error) => {
    process.exit(error.code === 'EPIPE' ? SIGPIPE : 1);
  });
  const { main } = await program();
  process.exitCode = await main(argv.slice(2), { env, stdin, stdout, stderr, ...more });
}
