import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ReplayTrigger } from '../../src/application/triggers/replay-trigger.handler.js';
import { GetTrigger } from '../../src/projections/triggers/triggers.queries.js';
import { fakeApplication, type FakeApplication } from './fake-application.js';

const RANGE = { after: '0', upTo: '7' };

let api: FakeApplication;
beforeAll(async () => {
  api = await fakeApplication();
  api.queries.answer(GetTrigger, () => ({
    event: { types: ['TaskFailed'] },
    description: '',
    task: { queue: 'mail' },
  }));
});
afterAll(() => api.app.close());

const replay = async (body: object) => {
  const payload = { from: 'beginning', ...body };
  const { statusCode, body: text } = await api.app.inject({ method: 'POST', url: '/v1/triggers/t/replay', payload });
  return { status: statusCode, ...(JSON.parse(text) as object) };
};

describe('a replay of more events than are counted', () => {
  it('is refused without yes, and says where it belongs', async () => {
    api.commands.answer(ReplayTrigger, () => ({ count: null, range: RANGE, receipt: null }));
    const refused = await replay({});
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_INPUT', errors: [{ pointer: '#/yes' }] });
    expect(JSON.stringify(refused)).toContain('more than 1000000 events');
  });

  it('is told as too many by a preview', async () => {
    api.commands.answer(ReplayTrigger, () => ({ count: null, range: RANGE, receipt: null }));
    expect(await replay({ preview: true })).toMatchObject({ status: 200, count: null, id: null });
  });

  it('is confirmed by yes alone', async () => {
    const modes: unknown[] = [];
    api.commands.answer(ReplayTrigger, ({ mode }) => {
      modes.push(mode);
      return { count: null, range: RANGE, receipt: null };
    });
    for (const body of [{}, { yes: false }, { yes: true }]) await replay(body);
    expect(modes).toMatchObject([{ isConfirmed: false }, { isConfirmed: false }, { isConfirmed: true }]);
  });
});
