import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { main } from '../../packages/cli/src/index.js';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

describe('rows of the outbox that were refused', () => {
  let service: RunningService;

  beforeAll(async () => (service = await startService()));
  afterAll(() => service.stop());

  async function system(): Promise<string> {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    await main(['system'], {
      stdin: Readable.from([]),
      stdout: stdout as never,
      stderr,
      env: { WAYBILL_URL: service.url },
    });
    stdout.end();
    return text(stdout);
  }

  const counted = async (): Promise<number> => (await service.waybill.system.get()).refusedOutboxRows;

  it('are counted by the system, the command line and the metrics, until somebody deals with them', async () => {
    expect(await counted()).toBe(0);
    expect(await system()).not.toContain('outbox');
    await service.pool.query(`select waybill.enqueue('nowhere', to_jsonb(1))`);
    await until('the refusal', async () => ((await counted()) === 1 ? true : null));
    expect(await system()).toMatch(/outbox\s+1 row refused/);
    expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(/^waybill_outbox_refused_rows 1$/m);
    await service.pool.query('delete from waybill_outbox');
    expect(await counted()).toBe(0);
  });
});
