import { createWaybill } from '../../src/index.js';

// A process of its own, for the tests of signals: works what it is given and says what happens, one line each.
const [url = '', manner = 'obeys'] = process.argv.slice(2);
const say = (...words: unknown[]): void => void process.stdout.write(`${words.join(' ')}\n`);

const worker = createWaybill({ url }).worker({
  name: 'child',
  graceMs: manner === 'ends' ? 10_000 : 2_000,
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
void worker.stopOnSignals().then(({ handedBack, abandoned }) => {
  say('stopped', JSON.stringify({ handedBack, abandoned: abandoned.map(({ taskId }) => taskId) }));
});
await worker.start();
