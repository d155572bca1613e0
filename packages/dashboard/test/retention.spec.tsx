import { describe, expect, it } from '@jest/globals';
import type { RetentionView } from '@waybill/client';
import { render } from 'preact-render-to-string';
import { Leaving, retains } from '../src/parts/retention.js';

const KEEPS = { succeeded: null, failed: null, cancelled: null, aborted: null, superseded: null, deleted: null };
const ID = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';

const view: RetentionView = {
  queue: 'mail',
  archived: 1_200,
  lastPassAt: null,
  states: [
    { state: 'succeeded', days: 30, tasks: 2, oldestEndedAt: '2026-01-01T00:00:00.000Z', first: [ID] },
    { state: 'failed', days: 90, tasks: 0, oldestEndedAt: null, first: [] },
  ],
  more: false,
};

describe("a queue's retention", () => {
  it('is shown if any state has one', () => {
    const policyOf = (retention: object) => ({ policy: { retention } }) as Parameters<typeof retains>[0];
    expect(retains(policyOf(KEEPS))).toBe(false);
    expect(retains(policyOf({ ...KEEPS, deleted: 0 }))).toBe(true);
  });

  it('says how many tasks leave the lists, and leads to the first', () => {
    const html = render(<Leaving view={view} />);
    expect(html).toMatch(/1.200 tasks are in the archive/);
    expect(html).toContain('has not been looked through yet');
    expect(html).toContain(`href="#/tasks/${ID}"`);
    expect(html.match(/<th scope="row">\w+/g)).toEqual(['<th scope="row">succeeded', '<th scope="row">failed']);
    expect(html).not.toContain('were not counted');
    expect(render(<Leaving view={{ ...view, more: true }} />)).toContain('were not counted');
  });
});
