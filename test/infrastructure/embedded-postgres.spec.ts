import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findBinaries, installedPackage } from '../../src/infrastructure/embedded-postgres/binaries.js';
import { openCluster } from '../../src/infrastructure/embedded-postgres/cluster.js';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from '../../src/infrastructure/embedded-postgres/embedded-postgres.js';
import { run } from '../../src/infrastructure/embedded-postgres/system-user.js';
import { errorFor } from '../../src/infrastructure/embedded-postgres/errors.js';
import { built } from '../support/built.js';
import { until } from '../support/until.js';

const asRoot = process.getuid?.() === 0;

describe('the embedded Postgres', () => {
  // One folder for most of the tests, because creating a cluster takes longer than the rest of them.
  const dataDir = newFolder();
  const started: EmbeddedPostgres[] = [];

  afterEach(async () => {
    await Promise.all(started.splice(0).map((postgres) => postgres.stop()));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
    const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, ...options });
    started.push(postgres);
    return postgres;
  }

  it('keeps data and address between runs', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    await expect(query(first.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ENOENT' });

    const second = await start();
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('takes another port when its own is in use', async () => {
    const first = await start();
    await first.stop();
    const blocker = createServer().listen(Number(new URL(first.url).port), '127.0.0.1');
    await once(blocker, 'listening');
    const second = await start();
    expect(second.url).not.toBe(first.url);
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    blocker.close();
  });

  it('is durable, and listens on the loopback address only', async () => {
    const { url } = await start();
    const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'unix_socket_directories'];
    expect(await settings(url, names)).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '..',
    });
    expect(await settings(url, ['max_connections', 'shared_buffers', 'max_wal_size', 'wal_compression'])).toEqual({
      max_connections: '100',
      shared_buffers: '256MB',
      max_wal_size: '2GB',
      wal_compression: 'pglz',
    });
  });

  it('is reached by its socket, which only its user can access, and by its port', async () => {
    const { url } = await start();
    const port = new URL(url);
    expect(port.searchParams.get('host')).toBe(join(dataDir, 'postgres'));
    port.searchParams.delete('host');
    const client = 'SELECT host(inet_client_addr()) AS client';
    expect(await query(url, client)).toEqual([{ client: null }]);
    expect(await query(port.href, client)).toEqual([{ client: '127.0.0.1' }]);
  });

  it('is reached by its port if the path of its folder is too long for a socket', async () => {
    const folder = newFolder();
    const { url, stop } = await start({ dataDir: join(folder, 'a'.repeat(100)) });
    expect(new URL(url).search).toBe('');
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await stop();
    await rm(folder, { recursive: true });
  });

  it("does not inherit the secrets in this process's environment", async () => {
    const before = { ...process.env };
    for (const name of [
      'WAYBILL_API_KEYS',
      'WAYBILL_API_KEY',
      'EVENT_STORE_URL',
      'DATABASE_URL',
      'PGPASSWORD',
      'NPM_TOKEN',
    ])
      process.env[name] = 'hidden';
    const { url } = await start();
    process.env = before;
    const told = await query(
      url,
      "drop table if exists told; create table told (line text); copy told from program 'env'",
    ).then(() => query(url, 'table told'));
    const names = told.map(({ line }) => String(line).split('=')[0]!);
    expect(names).toContain('PATH');
    expect(JSON.stringify(told)).not.toContain('hidden');
    // The server's own variables, and those of the shell that ran the program.
    expect(
      names.filter((name) => !/^(PATH|HOME|TMPDIR|TZ|LD_LIBRARY_PATH|LC_\w+|PG\w+|PWD|OLDPWD|SHLVL|_)$/.test(name)),
    ).toEqual([]);
  });

  it('lets its caller override a setting', async () => {
    const { url } = await start({ postgresFlags: ['-c', 'max_connections=7'] });
    expect(await settings(url, ['max_connections'])).toEqual({ max_connections: '7' });
  });

  it('requires a random password that only its user can read', async () => {
    const { url } = await start();
    const password = await stat(join(dataDir, 'postgres', 'password'));
    expect(password.mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700);
    expect(new URL(url).password).toMatch(/^[0-9a-f]{48}$/);
    await expect(query(url.replace(/:[0-9a-f]{48}@/, ':guess@'), 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('is created by one of several processes that start it first, which logs that and the user', async () => {
    const fresh = newFolder();
    const lines: string[] = [];
    const startFresh = () => start({ dataDir: fresh, log: (line) => lines.push(line) });
    const [one, two] = await Promise.all([startFresh(), startFresh()]);
    expect(one.url).toBe(two.url);
    expect(new Set(lines).size).toBe(1);
    expect(lines[0]).toContain(join(fresh, 'postgres'));
    expect(lines[0]?.includes("system user 'postgres'")).toBe(asRoot);
    await Promise.all([one.stop(), two.stop()]);
    expect((await readdir(fresh)).filter((name) => name.startsWith('postgres.'))).toEqual([]);
    await rm(fresh, { recursive: true });
  });

  it('stops once, however often it is called', async () => {
    const postgres = await start();
    await Promise.all([postgres.stop(), postgres.stop()]);
    await postgres.stop();
    expect(await postmaster(dataDir)).toBeUndefined();
  });

  it('is shared by all processes that start it, and stopped by the last one', async () => {
    const [one, two] = await Promise.all([start(), start()]);
    expect(one.url).toBe(two.url);
    await one.stop();
    expect(await query(two.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await two.stop();
    expect(await postmaster(dataDir)).toBeUndefined();
  });

  it('waits for a process that is starting it and has not written its pid file yet', async () => {
    await (await start()).stop();
    const [port, pid] = [join(dataDir, 'postgres', 'port'), join(dataDir, 'postgres', 'data', 'postmaster.pid')];
    await writeFile(pid, '');
    const triedAt = async () => (await stat(port)).mtimeMs;
    const tried = async () => {
      const before = await triedAt();
      await until('a try to start', async () => ((await triedAt()) > before ? true : null));
    };
    const starting = start();
    await tried();
    await tried();
    await rm(pid, { force: true });
    expect(await query((await starting).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is adopted after a kill -9 of its process, with everything committed', async () => {
    const { url, kill } = await startProcess(dataDir);
    await query(url, 'CREATE TABLE adopted AS SELECT 42 AS answer');
    const before = await postmaster(dataDir);
    await kill();

    const adopted = await start();
    expect(await postmaster(dataDir)).toBe(before);
    expect(adopted.url).toBe(url);
    expect(await query(adopted.url, 'SELECT answer FROM adopted')).toEqual([{ answer: 42 }]);
    await adopted.stop();
    expect(await postmaster(dataDir)).toBeUndefined();
  });

  it('recovers after a kill -9 of the server', async () => {
    const { url, kill } = await startProcess(dataDir);
    await query(url, 'CREATE TABLE recovered AS SELECT 42 AS answer');
    const before = await postmaster(dataDir);
    await kill();
    process.kill(before ?? 0, 'SIGKILL');

    const recovered = await start();
    expect(await postmaster(dataDir)).not.toBe(before);
    expect(await query(recovered.url, 'SELECT answer FROM recovered')).toEqual([{ answer: 42 }]);
  });

  it('ignores a pid file whose number now belongs to another program', async () => {
    const first = await start();
    const file = join(dataDir, 'postgres', 'data', 'postmaster.pid');
    const content = await readFile(file, 'utf8');
    const lock = join(dataDir, 'postgres', `.s.PGSQL.${new URL(first.url).port}.lock`);
    const locked = await readFile(lock, 'utf8');
    await first.stop();
    for (const [path, text] of [
      [file, content],
      [lock, locked],
    ] as const) {
      await writeFile(path, text.replace(/^\d+/, String(process.pid)), { mode: 0o600 });
    }

    const second = await start();
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  describe('that is watched', () => {
    const lines: string[] = [];
    const watched = (pausesMs = [0, 10, 20]) => {
      lines.length = 0;
      const onGivenUp = jest.fn<(error: Error) => void>();
      const log = (line: string) => void lines.push(line);
      return start({ log, watch: { pausesMs, onGivenUp } }).then((postgres) => ({ ...postgres, onGivenUp }));
    };
    const again = (count = 1) =>
      until(
        'the server to run again',
        async () => lines.filter((line) => line.endsWith('runs again')).length >= count || null,
      );
    const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
      const pid = (await postmaster(dataDir))!;
      process.kill(pid, signal);
      return pid;
    };

    it.each(['SIGKILL', 'SIGQUIT', 'SIGINT', 'SIGTERM'] as const)(
      'is started again after %s, with everything committed',
      async (signal) => {
        const { url, onGivenUp } = await watched();
        await query(url, `CREATE TABLE after_${signal} AS SELECT 42 AS answer`);
        const before = await kill(signal);
        await again();
        expect(await postmaster(dataDir)).not.toBe(before);
        expect(await query(url, `SELECT answer FROM after_${signal}`)).toEqual([{ answer: 42 }]);
        expect(lines.find((line) => line.includes('does not run'))).toMatch(
          /^The embedded Postgres does not run\. It ended \(.*\. Starting it again \(1 of 3\)$/,
        );
        expect(onGivenUp).not.toHaveBeenCalled();
      },
    );

    it('is started once by several processes, and stopped by the last one', async () => {
      const [one, two] = [await watched(), await watched()];
      await kill();
      await again(2);
      await one.stop();
      expect(await query(two.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await two.stop();
      expect(await postmaster(dataDir)).toBeUndefined();
    });

    it('is not started again once this process stops', async () => {
      const postgres = await watched();
      postgres.stopWatching();
      await kill();
      await ended(postgres.url);
      await postgres.stop();
      await expect(query(postgres.url, 'SELECT 1')).rejects.toBeDefined();
      expect(lines).toEqual([]);
    });

    it('is not started by an attempt that waits when this process stops', async () => {
      const postgres = await watched([60_000]);
      await kill();
      await until('an attempt', async () => lines.length === 1 || null);
      await postgres.stop();
      await expect(query(postgres.url, 'SELECT 1')).rejects.toBeDefined();
      expect(postgres.onGivenUp).not.toHaveBeenCalled();
    });

    it('is given up with the reason after a few attempts in a row', async () => {
      const { onGivenUp } = await watched();
      const file = join(dataDir, 'postgres', 'data', 'PG_VERSION');
      await rename(file, `${file}.away`);
      await kill();
      await until('the end of the attempts', async () => onGivenUp.mock.calls.length > 0 || null);
      await rename(`${file}.away`, file);
      expect(onGivenUp).toHaveBeenCalledTimes(1);
      const [{ message }] = onGivenUp.mock.calls[0]!;
      expect(message).toMatch(
        /^Expected to keep the embedded Postgres running, but 3 attempts in a row .* were in vain\. /,
      );
      expect(message).toMatch(/is not a database cluster directory.*set DATABASE_URL to use a Postgres of your own\.$/);
      expect(lines).toHaveLength(3);
    });

    it('is given up if it ends again and again', async () => {
      const { onGivenUp } = await watched();
      for (let kills = 1; kills <= 3; kills++) {
        await kill();
        await again(kills);
      }
      await kill();
      await until('the end of the attempts', async () => onGivenUp.mock.calls.length > 0 || null);
      expect(onGivenUp.mock.calls[0]![0].message).toMatch(/3 attempts in a row .* It ended \(.*see 'server\.log'/);
    });
  });

  it('is not started beside a process of the crashed server, even if nobody took note of its end', async () => {
    const { url } = await start();
    const busy = await work(url);
    const [file, tried] = [join(dataDir, 'postgres', 'data', 'postmaster.pid'), join(dataDir, 'postgres', 'port')];
    const [content, zombie] = [await readFile(file, 'utf8'), await endedChild()];
    process.kill((await postmaster(dataDir))!, 'SIGKILL');
    await ended(url);
    await writeFile(file, content.replace(/^\d+/, String(zombie.pid)));
    const before = (await stat(tried)).mtimeMs;
    const starting = start();
    await until('a try to start', async () => (await stat(tried)).mtimeMs > before || null);
    expect(await readFile(file, 'utf8')).toMatch(new RegExp(`^${zombie.pid}\n`));
    process.kill(busy, 'SIGKILL');
    expect(await query((await starting).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    zombie.end();
  });

  it.each([
    ['below a file', __filename],
    ['where the system makes none', '/proc'],
  ])('reports that no folder can be created %s', async (_where, parent) => {
    const folder = join(parent, 'data');
    await expect(startEmbeddedPostgres({ dataDir: folder, log: () => {} })).rejects.toThrow(
      `Expected to keep the database in '${folder}', but no folder can be made there; ` +
        'set WAYBILL_DATA_DIR to another folder, or set DATABASE_URL to use a Postgres of your own.',
    );
  });

  it('is not started if the disk has too little space', async () => {
    const folder = newFolder();
    const attempt = openCluster(
      folder,
      () => {},
      async () => 128 * 2 ** 20 - 1,
    );
    await expect(attempt).rejects.toThrow(
      `Expected to create the database in '${folder}/postgres', but the disk is full; free some space, ` +
        'or set DATABASE_URL to use a Postgres of your own.',
    );
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('reports why it cannot use a folder that its user cannot enter', async () => {
    const folder = newFolder();
    const barrier = join(folder, 'private');
    await mkdir(barrier, { recursive: true });
    await chmod(barrier, asRoot ? 0o700 : 0o000);
    const attempt = startEmbeddedPostgres({ dataDir: join(barrier, 'data'), log: () => {} });
    await expect(attempt).rejects.toThrow(
      asRoot
        ? new RegExp(
            `^Expected to keep the database in '${barrier}/data', but .* cannot enter '${barrier}'; set WAYBILL_DATA_DIR .* DATABASE_URL`,
          )
        : /^Expected to keep the database in .*, but .* may not be read or written; set WAYBILL_DATA_DIR .* DATABASE_URL/,
    );
    await chmod(barrier, 0o700);
    await rm(folder, { recursive: true });
  });
});

describe('the programs of Postgres', () => {
  const folder = newFolder();
  const installed = join(folder, 'private', 'package');
  const dataDir = join(folder, 'data');
  const library = join(installed, 'native', 'lib');
  const nobody = { uid: 65_534, gid: 65_534 };

  beforeAll(async () => {
    await mkdir(dataDir, { recursive: true });
    await cp(installedPackage(), installed, { recursive: true, verbatimSymlinks: true });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const linksIn = async (path: string): Promise<string[]> =>
    (await readdir(path, { withFileTypes: true }))
      .filter((entry) => entry.isSymbolicLink())
      .map(({ name }) => name)
      .sort();

  it('run even if the install scripts, which link their libraries, did not', async () => {
    const links = await linksIn(library);
    for (const name of links) await rm(join(library, name));
    const { initdb } = await findBinaries(dataDir, {}, installed);
    expect(links).not.toEqual([]);
    expect(await linksIn(library)).toEqual(links);
    expect(initdb).toBe(join(installed, 'native', 'bin', 'initdb'));
    expect(await run(initdb, ['--version'])).toMatchObject({ code: 0 });
  });

  it('are copied once to a place where their user can reach them', async () => {
    await chmod(join(folder, 'private'), 0o700);
    const { initdb } = await findBinaries(dataDir, nobody, installed);
    const [copy, ...others] = await readdir(dataDir);
    expect(others).toEqual([]);
    expect(initdb).toBe(join(dataDir, copy!, 'bin', 'initdb'));
    // Only root can become another user. For others, every user stands for one that cannot reach the package.
    expect(await run(initdb, ['--version'], asRoot ? nobody : {})).toMatchObject({ code: 0 });
    expect(await findBinaries(dataDir, nobody, installed)).toMatchObject({ initdb });
    expect(await readdir(dataDir)).toEqual([copy]);
  });
});

describe('a failed program', () => {
  it.each([
    ['initdb: error: could not write file: No space left on device', 'the disk is full; free some space'],
    ['could not create directory: Permission denied', 'a file may not be read or written'],
    ['FATAL:  database files are incompatible with server', 'another Postgres version wrote it'],
    ['LOG: a\nFATAL:  could not do it\nHINT: b', 'it said "FATAL:  could not do it"'],
  ])('with the output %j is reported in one sentence', (output, cause) => {
    const { message } = errorFor('start', output);
    expect(message).toContain(`Expected to start, but ${cause}`);
    expect(message).toContain('DATABASE_URL');
    expect(message).not.toContain('\n');
  });
});

/** A folder that the next test run removes if this one is killed. */
function newFolder(): string {
  return join(tmpdir(), `waybill-test-${process.pid}-${randomBytes(6).toString('hex')}`);
}

async function query(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  // The server may be killed meanwhile, which its query reports.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function settings(url: string, names: string[]): Promise<Record<string, unknown>> {
  const text = 'SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS name';
  return Object.fromEntries((await query(url, text, [names])).map(({ name, value }) => [name, value]));
}

/** Resolves when the server takes no connections. */
const ended = (url: string): Promise<unknown> =>
  until('the end of the server', () =>
    query(url, 'SELECT 1').then(
      () => null,
      () => true,
    ),
  );

/** Makes a process of the server work without a look at anything else, and returns its id. */
async function work(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { pid } = rows[0]!;
  client.query('select count(*) from generate_series(1, 1e12)').catch(() => undefined);
  const isActive = 'select from pg_stat_activity where state = $1 and pid = $2';
  await until('the work to begin', async () => (await query(url, isActive, ['active', pid])).length > 0 || null);
  return pid;
}

/** A process that has ended, and whose parent never asks how. */
async function endedChild(): Promise<{ readonly pid: number; end(): void }> {
  const parent = spawn('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(printed.toString());
  await until('its end', async () => (await readFile(`/proc/${pid}/stat`, 'utf8')).includes(') Z ') || null);
  return { pid, end: () => void parent.kill('SIGKILL') };
}

/** The process id of the server; undefined if none runs. */
async function postmaster(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number(text.split('\n')[0]);
}

/** Starts the embedded Postgres in a process of its own. */
async function startProcess(dataDir: string): Promise<{ url: string; kill(): Promise<void> }> {
  const child = spawn(process.execPath, [built('test/support/embedded-postgres-process.ts'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  const kill = async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return { url: printed.toString().trim(), kill };
}
