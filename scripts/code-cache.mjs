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
 * once it has started. A service starts with 0.7 s of processor time then, and with 1.1 without. `module` is the
 * `import.meta` of the program that calls this. V8 refuses the code of another version of itself, but not that of another
 * script of the same length: each bundle needs a cache of its own.
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
  if (!code || compiled.cachedDataRejected) onceAtRest(() => keep(compiled, cache));
  const self = { exports: {} };
  const path = fileURLToPath(module.url);
  const given = [createRequire(path), self, self.exports, path, dirname(path), module.url, module.resolve];
  compiled.runInThisContext()(...given);
  await self.exports.ended;
  return self.exports;
}

function onceAtRest(act) {
  let before = performance.eventLoopUtilization();
  const looks = setInterval(() => {
    const isAtRest = performance.eventLoopUtilization(before).utilization < RESTING;
    before = performance.eventLoopUtilization();
    if (!isAtRest) return;
    clearInterval(looks);
    act();
  }, LOOK_MS).unref();
}

/** Other processes see no part of it. */
function keep(compiled, cache) {
  const written = `${cache}.${process.pid}`;
  writeFileSync(written, compiled.createCachedData());
  renameSync(written, cache);
}
