import { createWaybill } from '@waybill/client';
import { createLog } from '../../src/infrastructure/telemetry/pino-logger.js';
import { type RunningService, startService } from '../support/running-service.js';

const lines: Record<string, unknown>[] = [];
let service: RunningService;
beforeAll(async () => {
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  service = await startService({}, createLog({ level: 'info', format: 'json', destination }));
  await service.waybill.queue('mail').define({ onFailure: 'fail' });
});
beforeEach(() => void lines.splice(0));
afterAll(() => service.stop());

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

const told = (context: string) => lines.filter((line) => line['context'] === context);

describe('the log of the service', () => {
  it('has a line for each command that somebody gave, with its trace, and none for submissions and queries', async () => {
    const ann = createWaybill({ url: service.url, actor: 'ann', traceparent: () => TRACEPARENT });
    const { id } = await ann.queue('mail').enqueue({ secret: 'x' });
    await ann.task(id).get();
    await ann.queue('mail').pause({ reason: 'lunch' });
    await ann.task(id).hold({ reason: 'looks odd' });
    await ann.queue('mail').resume();
    const common = { level: 'info', actor: 'ann', traceId: TRACE, requestId: expect.any(String) };
    expect(told('Command')).toEqual([
      expect.objectContaining({ ...common, operation: 'pauseQueue', queue: 'mail', msg: 'pauseQueue by ann' }),
      expect.objectContaining({ ...common, operation: 'holdTask', task: id, msg: 'holdTask by ann' }),
      expect.objectContaining({ ...common, operation: 'resumeQueue', queue: 'mail' }),
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/lunch|looks odd|secret/);
  });

  it('has none for a command that was refused, or previewed', async () => {
    await expect(service.waybill.queue('none').pause()).rejects.toThrow("Expected queue 'none' to exist");
    await service.waybill.preview((as) => as.queue('mail').pause());
    expect(told('Command')).toEqual([]);
  });

  it('has a line for each task that failed and that nothing retries, with the trace of its attempt, and without its message', async () => {
    const mail = service.waybill.queue('mail');
    await mail.enqueueMany([{ payload: 1 }, { payload: 2 }]);
    const [lost, again] = await mail.claim({ worker: 'w', max: 2 });
    const error = { class: 'business', message: 'Ann has no mailbox' } as const;
    await service.waybill.settle([
      {
        taskId: lost!.taskId,
        token: lost!.token,
        verdict: { type: 'fail', error, final: true },
        traceparent: TRACEPARENT,
      },
      { taskId: again!.taskId, token: again!.token, verdict: { type: 'return' } },
    ]);
    expect(told('Tasks')).toEqual([
      expect.objectContaining({ level: 'warn', task: lost!.taskId, queue: 'mail', class: 'business', traceId: TRACE }),
    ]);
    expect(JSON.stringify(lines)).not.toContain('mailbox');
  });

  it('has them for what a transaction stored, and none if it was refused', async () => {
    const ann = createWaybill({ url: service.url, actor: 'ann', traceparent: () => TRACEPARENT });
    await ann.queue('mail').enqueue({});
    const [claimed] = await ann.queue('mail').claim({ worker: 'w' });
    const { taskId, token } = claimed!;
    const error = { class: 'business', message: 'Ann has no mailbox' } as const;
    const both = (queue: string) =>
      ann.transaction((tx) => {
        tx.settle({ taskId, token, verdict: { type: 'fail', error, final: true } });
        tx.queue(queue).pause();
      });
    await expect(both('none')).rejects.toThrow("Expected queue 'none' to exist");
    expect([told('Tasks'), told('Command')]).toEqual([[], []]);
    await both('mail');
    expect(told('Tasks')).toEqual([expect.objectContaining({ task: taskId, queue: 'mail', traceId: TRACE })]);
    expect(told('Command')).toEqual([
      expect.objectContaining({ operation: 'pauseQueue', queue: 'mail', actor: 'ann', traceId: TRACE }),
    ]);
  });
});
