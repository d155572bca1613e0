import { QueueDirectory } from '../../../src/application/kernel/queue-directory.js';
import { LocalWakeUps } from '../../../src/infrastructure/notify/local-wake-ups.js';
import { defineQueue } from '../../support/events.js';
import { CountingStore } from '../application.js';

const at = (ms: number): void => void jest.spyOn(performance, 'now').mockReturnValue(ms);

let store: CountingStore;
let directory: QueueDirectory;

beforeEach(async () => {
  store = new CountingStore(new LocalWakeUps());
  directory = new QueueDirectory(store);
  await store.append([defineQueue('mail'), defineQueue('print')]);
  at(1_000);
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the queue directory', () => {
  it('reads queues requested together at once, and then from the cache', async () => {
    const all = await directory.getAll(['mail', 'print', 'nowhere']);
    expect([...all].map(([name, { state, revision }]) => [name, state.status, revision])).toEqual([
      ['mail', 'active', 0],
      ['print', 'active', 0],
      ['nowhere', 'unknown', -1],
    ]);
    await directory.get('mail');
    expect(store.reads).toBe(1);
  });

  it('shares a read in progress', async () => {
    await Promise.all([directory.get('mail'), directory.get('mail')]);
    expect(store.reads).toBe(1);
  });

  it('reads a forgotten queue again', async () => {
    await directory.get('mail');
    directory.forget('mail');
    await directory.get('mail');
    expect(store.reads).toBe(2);
  });

  it('does not cache a read that began before the queue was forgotten', async () => {
    const before = directory.get('mail');
    directory.forget('mail');
    await before;
    await directory.get('mail');
    expect(store.reads).toBe(2);
  });

  it('reads again after two seconds', async () => {
    await directory.get('mail');
    at(3_100);
    await directory.get('mail');
    expect(store.reads).toBe(2);
  });

  it('does not cache a failed read', async () => {
    jest.spyOn(store, 'readStreams').mockRejectedValueOnce(new Error('away'));
    await expect(directory.get('mail')).rejects.toThrow('away');
    expect(await directory.get('mail')).toMatchObject({ revision: 0 });
  });
});
