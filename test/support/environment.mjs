import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';
import './clients-apart.mjs';
import { idsOf } from '../../scripts/acceptance-result.mjs';
import { startMeasuring } from '../../scripts/processor-time.mjs';
import { leaveFirstOfEachLine } from './first-of-each-line.mjs';

/**
 * The spec files of a worker share its globals, the installed packages and the modules that we ship (`loaded-once.cjs`). Specs and
 * what supports them are loaded anew for each file. In Node's usual test environment each use of a global goes through a proxy, and
 * a thousand modules are loaded again for each of hundreds of files.
 */
export default class SharedGlobals extends TestEnvironment {
  #before = replacedByJest();
  #stopFixture = null;
  #path;
  #endMeasuring;

  constructor(config, context) {
    super(config, context);
    const { maxWorkers, rootDir } = config.globalConfig;
    this.#endMeasuring = startMeasuring(context.testPath, { maxWorkers, rootDir });
    const global = globalThis;
    global.requireInstalled = createRequire(import.meta.url);
    this.global = global;
    this.#path = context.testPath;
    this.moduleMocker = new this.moduleMocker.constructor(global);
    this.fakeTimersModern = new this.fakeTimersModern.constructor({ config: config.projectConfig, global });
  }

  /** Jest requests a hundred frames of each error, and creates one for every `expect`. */
  async setup() {
    await super.setup();
    Error.stackTraceLimit = 25;
    if (process.env.EVENT_STORE_FIXTURES) await this.#startFixture();
  }

  /** Of Jest's own runner. A test that carries a line's id and asserts nothing fails. */
  handleTestEvent({ name, test }, { rootDescribeBlock }) {
    if (name === 'run_start' && process.env.TEST_LINES === 'once') this.#leaveFirstOfEachLine(rootDescribeBlock);
    if (name === 'test_start' && idsOf(test.name).length > 0) this.global.expect.hasAssertions();
  }

  /** Each page that is looked at for accessibility, each feature and each component is a thing of its own. */
  #leaveFirstOfEachLine(rootDescribeBlock) {
    if (/\/test\/(acceptance\/(s\d|history)|browser\/(?!accessibility|features|kit))/.test(this.#path))
      leaveFirstOfEachLine(rootDescribeBlock);
  }

  /** The next spec file finds the modules as they are, whatever this one has spied on. */
  async teardown() {
    this.moduleMocker.restoreAllMocks();
    await super.teardown();
    this.#stopFixture?.();
    for (const [object, name, property] of this.#before) Object.defineProperty(object, name, property);
    for (const storage of storages) storage.disable();
    storages.clear();
    delete globalThis[EVENT_HANDLERS];
    this.#endMeasuring();
  }

  /**
   * Each spec file has an EventStoreDB of its own, because whoever reads a whole log reads past the events of everybody
   * else in it.
   */
  async #startFixture() {
    const { startBuiltFixture } = await import('../../scripts/eventstoredb-fixture.mjs');
    const { url, stop } = await startBuiltFixture();
    process.env.EVENT_STORE_URL = url;
    process.once('exit', stop);
    this.#stopFixture = () => {
      process.removeListener('exit', stop);
      delete process.env.EVENT_STORE_URL;
      stop();
    };
  }
}

/** The globals that Jest replaces for each spec file, in their original state. */
const replacedByJest = () =>
  [
    [globalThis, 'console'],
    [process, 'exit'],
    [process, 'getBuiltinModule'],
  ].map(([object, name]) => [object, name, Object.getOwnPropertyDescriptor(object, name)]);

/**
 * Where Jest keeps its listeners. Those of earlier spec files would reset the count of assertions before it is read.
 */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

const { run } = AsyncLocalStorage.prototype;
const storages = new Set();

/**
 * Jest keeps the test or hook that runs in a storage, which would make Node call a hook for each promise of what is tested. They run one after
 * another, so it is told by a variable. A storage of what is tested is disabled after its spec file, for the same reason.
 */
AsyncLocalStorage.prototype.run = function (store, callback, ...parameters) {
  if (isOfJest(store)) return runWith(this, store, callback);
  storages.add(this);
  return run.call(this, store, callback, ...parameters);
};

const isOfJest = (store) => typeof store === 'object' && store !== null && 'test' in store;

async function runWith(storage, store, callback) {
  const before = storage.getStore();
  storage.getStore = () => store;
  try {
    return await callback();
  } finally {
    storage.getStore = () => before;
  }
}

/** What Jest tells a worker when nothing is left to do. */
const END = 2;

/** How soon the worker looks again for what a spec has just closed, and when it says what it has not: Jest waits three times as long. */
const [LOOK_MS, PATIENCE_MS] = [20, 10_000];

/**
 * Ends a worker once nothing is open but the pipes to Jest. If a spec left something open, the worker stays, says what it is, and is ended
 * by force.
 */
function endIfAtRest([what]) {
  if (what !== END) return;
  process.removeListener('message', endIfAtRest);
  exitIfAtRest();
  setInterval(exitIfAtRest, LOOK_MS).unref();
  const tell = () =>
    process.stderr.write(`Expected the specs to leave nothing open, but there is: ${stillOpen().join()}\n`);
  setTimeout(tell, PATIENCE_MS).unref();
}

function exitIfAtRest() {
  if (stillOpen().length === 0) process.exit();
}

const stillOpen = () => process.getActiveResourcesInfo().filter((resource) => resource !== 'PipeWrap');

if (process.send) process.on('message', endIfAtRest);

const compiled = new Map();

/**
 * Makes a worker compile a module once instead of once per spec file, because V8 caches nothing for `compileFunction`.
 * Leaves out `importModuleDynamically`, which nothing needs: swc turns `import()` into `require`.
 */
vm.compileFunction = (code, parameters, { filename }) => {
  const known = compiled.get(filename);
  const script = known?.code === code ? known.script : compile(code, parameters, filename);
  compiled.set(filename, { code, script });
  return script.runInThisContext();
};

function compile(code, parameters, filename) {
  const before = `(function (${parameters.join()}) {`;
  return new vm.Script(`${before}${code}\n})`, { filename, columnOffset: -before.length });
}
