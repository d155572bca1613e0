import { systemClock } from '../../src/clock.js';
import { createWaybill, type Clock } from '../../src/index.js';

// A worker process for the tests of signals. Runs the tasks it gets and prints what happens, one line each.
const [url = '', manner = 'obeys'] = process.argv.slice(2);
const say = (...words: unknown[]): void => void process.stdout.write(`${words.join(' ')}\n`);

/**
 * The last part of the grace time, for handlers that stop and for printing that, which may take longer on a busy
 * machine.
 */
const OBEYING_MS = 1_000;
const patient: Clock = {
  ...systemClock,
  after: (ms, action) => systemClock.after(ms === OBEYING_MS ? 60_000 : ms, action),
};

const clock = manner === 'obeys' ? patient : systemClock;
const worker = createWaybill({ url, clock }).worker({
  name: 'child',
  graceMs: manner === 'ends' ? 60_000 : 2_500,
  logger: null,
});
worker.handle('mail', (task, run) => {
  say('began', task.taskId);
  return new Promise((resolve, reject) => {
    const alive = setInterval(() => {}, 1_000);
    if (manner === 'ends') process.once('SIGTERM', () => (clearInterval(alive), resolve('done')));
    if (manner === 'obeys')
      run.signal.addEventListener('abort', () => (clearInterval(alive), reject(run.signal.reason)));
  });
});
if (manner === 'has a bug') {
  process.once('uncaughtException', ({ message }) => say('surfaced', message));
  worker.on('stopped', () => {
    throw new Error('a bug of the application');
  });
}
void worker.stopOnSignals().then(({ returned, abandoned }) => {
  say('stopped', JSON.stringify({ returned, abandoned: abandoned.map(({ taskId }) => taskId) }));
});
await worker.start();
