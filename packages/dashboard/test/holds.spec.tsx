import { describe, expect, it } from '@jest/globals';
import type { HoldView } from '@waybill/client';
import { render } from 'preact-render-to-string';
import { actionsOn, Holds } from '../src/parts/holds.js';
import { textOf } from './text-of.js';

const AT = '2026-11-23T01:30:00.000Z';

const hold = (more: Partial<HoldView> = {}): HoldView => ({
  name: 'maps',
  state: 'placed',
  labels: { collection: 'maps', type: 'scan' },
  reason: 'the rights are being cleared',
  placedBy: 'ann',
  placedAt: AT,
  liftedBy: null,
  liftedAt: null,
  holds: 12,
  revision: 0,
  position: '9',
  ...more,
});

const list = (...holds: readonly HoldView[]) => <Holds holds={holds} onDone={() => undefined} />;

describe('the holds', () => {
  it('are listed with what they catch, who placed them, since when and why', () => {
    const html = render(list(hold()));
    for (const text of ['collection=maps, type=scan', 'ann', AT, 'the rights are being cleared'])
      expect(html).toContain(text);
  });

  it('lead to the tasks that they hold, and say if there are more than is counted', () => {
    expect(render(list(hold()))).toContain('href="#/tasks?state=held&amp;label=collection%3Dmaps">12<');
    expect(textOf(list(hold({ holds: 10_000 })))).toMatch(/10.000 or more/);
    expect(render(list(hold({ holds: 0 })))).not.toContain('#/tasks');
  });

  it('can be lifted', () => {
    expect(actionsOn(hold()).map(({ name }) => name)).toEqual(['Lift']);
  });

  it('are explained if there are none', () => {
    expect(textOf(list())).toContain('No hold is in force.');
  });
});
