import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import vm from 'node:vm';
import { LATE_OPTIMISING } from './short-lived.mjs';

/** What a bundle is given by name (`scripts/bundle.mjs`), because a script has no `import.meta` and no `require`. */
const GIVEN = ['require', 'module', 'exports', '__filename', '__dirname', '__url', '__resolve'];

/** Who has started rests for most of such a time, however busy the machine is, and has compiled what a start needs. */
const LOOK_MS = 2_000;
const RESTING = 0.3;

/** Node warns of the loader that a script's dynamic imports use, and the tests expect a service that warns of nothing. */
function leaveUnsaid(word) {
  const warn = process.emitWarning.bind(process);
  process.emitWarning = (warning, ...rest) => (String(warning).includes(word) ? undefined : warn(warning, ...rest));
}

/**
 * Runs a bundle (`script`, a path) and returns what it exports, with the machine code that an earlier process has left in `cache` (a path), or leaves it there
 * once it has started, and not while it waits in its start: a service that waited for a server that does not answer left the code of half a
 * start, with which each later one took as much as with none. A service starts with 1.0 s of processor time beside other work, and without with 1.4.
 * `module` is the `import.meta` of the program that calls this. V8 refuses the code of another version of itself, but not that of another script of
 * the same length: each bundle needs a cache of its own.
 */
export async function runCached({ script, cache }, module) {
  // Before the cache is read: V8 refuses what was made with other flags.
  setFlagsFromString(LATE_OPTIMISING);
  leaveUnsaid('USE_MAIN_CONTEXT_DEFAULT_LOADER');
  const code = existsSync(cache) ? readFileSync(cache) : undefined;
  const compiled = new vm.Script(`(function (${GIVEN.join()}) {${readFileSync(script, 'latin1')}\n})`, {
    filename: script,
    cachedData: code,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const self = { exports: {} };
  const path = fileURLToPath(module.url);
  const given = [createRequire(path), self, self.exports, path, dirname(path), module.url, module.resolve];
  compiled.runInThisContext()(...given);
  await self.exports.ended;
  if (!code || compiled.cachedDataRejected) onceAtRestOrAtEnd(() => keep(compiled, cache));
  return self.exports;
}

/** Many services of tests are stopped before they rest. */
function onceAtRestOrAtEnd(act) {
  process.once('exit', act);
  let before = performance.eventLoopUtilization();
  const looks = setInterval(() => {
    const isAtRest = performance.eventLoopUtilization(before).utilization < RESTING;
    before = performance.eventLoopUtilization();
    if (!isAtRest) return;
    clearInterval(looks);
    process.removeListener('exit', act);
    act();
  }, LOOK_MS).unref();
}

/** Other processes see no part of it. */
function keep(compiled, cache) {
  if (!compiled.cachedDataRejected && existsSync(cache)) return;
  const written = `${cache}.${process.pid}`;
  writeFileSync(written, compiled.createCachedData());
  renameSync(written, cache);
}
