import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type RunningService, startService } from '../support/running-service.js';
import { PYTHON, PYTHON_CLIENT } from './python.js';

describe('the adapter for Celery', () => {
  let service: RunningService;
  beforeAll(async () => (service = await startService()));
  afterAll(() => service.stop());

  it('passes its own tests against a service and a worker of Celery', async () => {
    const env = { ...process.env, WAYBILL_URL: service.url };
    const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests/nightly'];
    const ran = promisify(execFile)(PYTHON, args, { cwd: PYTHON_CLIENT, env });
    const said = await ran.catch((error: { stdout: string; stderr: string }) => error);
    expect(said.stdout + said.stderr).toMatch(/^\d+ passed/m);
    expect(said.stdout).not.toMatch(/failed|error|skipped/);
  });
});
