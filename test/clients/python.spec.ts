import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RunningService, startService } from '../support/running-service.js';
import { inClient, PYTHON, PYTHON_CLIENT } from './python.js';

describe('the client for Python', () => {
  let service: RunningService;
  beforeAll(async () => (service = await startService()));
  afterAll(() => service.stop());

  it('passes its own tests against a service', async () => {
    const env = { ...process.env, WAYBILL_URL: service.url };
    const ran = promisify(execFile)(PYTHON, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], {
      cwd: PYTHON_CLIENT,
      env,
    });
    const said = await ran.catch((error: { stdout: string; stderr: string }) => error);
    expect(said.stdout + said.stderr).toMatch(/^\d+ passed in/m);
    expect(said.stdout).not.toMatch(/failed|error|skipped/);
  });

  it.each([
    ['its README', join(PYTHON_CLIENT, 'README.md'), "{'delivered': 'ann@example.org'}\n"],
    [
      'the guide for those who come from Celery',
      join(PYTHON_CLIENT, '../../docs/migrate.md'),
      'sent to ada@example.org\n',
    ],
  ])('runs the program of %s', async (_name, page, prints) => {
    const [, program] = /```python\n([\s\S]*?)```/.exec(readFileSync(page, 'utf8'))!;
    const source = program!.replaceAll('http://localhost:3000', service.url);
    const env = { ...process.env, PYTHONPATH: join(PYTHON_CLIENT, 'src') };
    const { stdout } = await promisify(execFile)(PYTHON, ['-c', source], { env });
    expect(stdout).toBe(prints);
  });
});

it('the client for Python is formatted', () => {
  const { status, stderr } = inClient('black', '--check', '--quiet', '--force-exclude', '_generated', 'src', 'tests');
  expect([status, stderr]).toEqual([0, '']);
});
