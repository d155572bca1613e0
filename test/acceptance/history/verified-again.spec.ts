import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { main } from '../../../packages/cli/src/index.js';
import { LogVerification } from '../../../src/infrastructure/notary/verification.js';
import { verifyLog } from '../../../src/maintenance/verify-log.js';
import { configFor, isElsewhere, type RunningService, startService } from '../../support/running-service.js';
import { environmentOf } from '../../support/subject-keys.js';
import { until } from '../../support/until.js';

describe('a log that is verified again with a state', () => {
  let service: RunningService;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybill-again-'));
    service = await startService({ notaryDir: join(folder, 'keys') });
    await service.waybill.queue('mail').define();
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => rm(join(folder, 'state'), { force: true }));

  const file = (name: string): string => join(folder, name);
  const key = () => ['--key', file('keys/key.pub')];

  async function run(...args: readonly string[]) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const said = Promise.all([text(stdout), text(stderr)]);
    const out = stdout as unknown as NodeJS.WriteStream;
    const env = environmentOf(configFor(service.databaseUrl));
    // The notary of this process reads the log, too, when it audits, and marks nothing.
    const [read, marks] = [
      jest.spyOn(LogVerification.prototype, 'take'),
      jest.spyOn(LogVerification.prototype, 'mark'),
    ];
    const code = await main(['verify', ...key(), ...args], {
      stdin: Readable.from([]),
      stdout: out,
      stderr,
      env,
      verifyLog,
    });
    const own = new Set<unknown>(marks.mock.contexts);
    const leaves = read.mock.contexts.filter((one) => own.has(one)).length;
    for (const spy of [read, marks]) spy.mockRestore();
    for (const stream of [stdout, stderr]) stream.end();
    const [printed, told] = await said;
    const [, size, root] = /Verified (\d+) leaves with the root (\S+?):/.exec(told) ?? [];
    return { code, leaves, size: Number(size), root, out: printed, err: told };
  }
  const again = (...args: readonly string[]) => run('--state', file('state'), ...args);

  async function enqueue(count: number): Promise<void> {
    for (let at = 0; at < count; at++) await service.waybill.queue('mail').enqueue(at);
  }
  /** A copy of a seal of all that there is. */
  async function seal(name: string): Promise<string> {
    const { position } = await service.waybill.queue('mail').pause();
    await service.waybill.queue('mail').resume();
    // The file follows the table.
    await until('a seal in the file', async () => {
      const { rows } = await service.pool.query<{ size: string }>('select size from seals where position >= $1', [
        position,
      ]);
      const sealed = await readFile(file('keys/seal'), 'utf8').catch(() => '\n0');
      return rows.some(({ size }) => Number(sealed.split('\n')[1]) >= Number(size)) || null;
    });
    await copyFile(file('keys/seal'), file(name));
    return file(name);
  }

  it('H-39 is read from the last leaf of the run before on, and has the root of the whole', async () => {
    await enqueue(20);
    const first = await again();
    expect(first).toMatchObject({ code: 3, leaves: first.size });
    await enqueue(3);
    // The service appends, too, such as that nobody asks for the queue's tasks.
    const second = await again();
    expect(second).toMatchObject({ code: 0, leaves: second.size - first.size + 1 });
    expect(second.err).toContain(`The run before verified the first ${first.size - 1},`);
    const { root } = await until('two runs of one log', async () => {
      const [whole, third] = [await run(), await again()];
      return whole.size === third.size ? { root: [whole.root, third.root] } : null;
    });
    expect(root[1]).toBe(root[0]);
  });

  it('is compared with later seals, and with earlier ones that a run before compared', async () => {
    await enqueue(1);
    const [early, unknown] = [await seal('early'), await (enqueue(1), seal('unknown'))];
    expect(await again('--seal', early)).toMatchObject({ code: 0 });
    await enqueue(2);
    const late = await seal('late');
    expect(await again('--seal', early, '--seal', late)).toMatchObject({ code: 0 });
    const { code, err } = await again('--seal', unknown);
    expect([code, err]).toEqual([2, expect.stringContaining('or without --state')]);
    expect(await run('--seal', unknown)).toMatchObject({ code: 0 });
  });

  it('has findings where it does not go on from what was verified, and keeps the state of before', async () => {
    await enqueue(1);
    await again();
    const state = await readFile(file('state'), 'utf8');
    const { leaf, position, ...others } = JSON.parse(state) as { readonly leaf: string; readonly position: string };
    const wrong = { leaf: `${leaf.startsWith('A') ? 'B' : 'A'}${leaf.slice(1)}`, position };
    await writeFile(file('state'), JSON.stringify({ ...others, ...wrong }));
    const other = await again();
    expect([other.code, other.out]).toEqual([1, expect.stringMatching(/^CONFLICT at \d+: its leaf is not the one/)]);
    const beyond = JSON.stringify({ ...others, leaf, position: '999999999999' });
    await writeFile(file('state'), beyond);
    const cut = await again();
    expect([cut.code, cut.out]).toEqual([1, expect.stringMatching(/^SHORTER: /)]);
    expect(await readFile(file('state'), 'utf8')).toBe(beyond);
    await writeFile(file('state'), JSON.stringify({ ...others, ...wrong }));
    await again();
    expect(JSON.parse(await readFile(file('state'), 'utf8'))).toMatchObject(wrong);
  });

  it('is refused with a state that is none, or of the log of another key', async () => {
    await again();
    const state = JSON.parse(await readFile(file('state'), 'utf8')) as object;
    for (const wrong of [
      '{',
      'null',
      '{}',
      JSON.stringify({ ...state, key: 'other' }),
      JSON.stringify({ ...state, parts: [] }),
    ]) {
      await writeFile(file('state'), wrong);
      expect([wrong, (await again()).code]).toEqual([wrong, 2]);
    }
  });

  if (!isElsewhere)
    it('finds what was changed since', async () => {
      await enqueue(1);
      await again();
      await enqueue(2);
      await service.pool.query(
        `update segments set meta = replace(meta, 'actor', 'acter') where position = (select max(position) from segments)`,
      );
      const { code, out } = await again();
      expect([code, out]).toEqual([1, expect.stringMatching(/^ALTERED at /)]);
    });
});
