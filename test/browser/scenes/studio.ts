import type { Waybill } from '@waybill/client';
import { type Stage, succeed, work } from './stage.js';

/** A studio: what a queue limits, shares, gathers and needs, and what its tasks wait for and say. */
export interface Studio {
  /** A task that waits for somebody's word. */
  readonly waiting: string;
  /** A task that gathers submissions. */
  readonly gathering: string;
  /** A task that no worker can run. */
  readonly needing: string;
  /** A running task with a log. */
  readonly telling: string;
}

export const STUDIO_MINUTES = 24;

const HOUR_MS = 3_600_000;

/** Films are rendered for customers, of whom one pays for more; each other queue has one more of what queues can do. */
export async function studio({ as, pass }: Stage): Promise<Studio> {
  const ann = as('ann');
  await render(ann, as('shop'));
  await encode(ann, as('shop'));
  await pass(4);
  const gathering = await gather({ as, pass });
  const needing = await need(ann);
  const waiting = await wait(ann, as('lawyer-1'));
  await pass(6);
  const telling = await tell(as('shop'), as('importer-1'));
  return { waiting, gathering, needing, telling };
}

const filmsOf = (customer: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    reference: `${customer}-film-${n + 1}`,
    labels: { customer },
    payload: { customer, scene: n + 1, frames: 240 + 24 * n },
  }));

async function render(ann: Waybill, shop: Waybill): Promise<void> {
  const queue = ann.queue('rendering');
  await queue.define({ perLabel: { label: 'customer', maxRunning: 2 } }, { description: 'Films of customers' });
  const rate = { starts: 30, perMs: HOUR_MS, burst: 4 };
  await queue.setLimit({ label: 'customer', value: 'acme', maxRunning: 6, rate }, { reason: 'acme pays for six' });
  await shop.queue('rendering').enqueueMany([...filmsOf('acme', 9), ...filmsOf('globex', 5), ...filmsOf('initech', 1)]);
  await ann.queue('rendering').claim({ worker: 'render-1', server: 'node-a', max: 9, leaseMs: HOUR_MS });
}

async function encode(ann: Waybill, shop: Waybill): Promise<void> {
  await ann
    .queue('encoding')
    .define({ fair: { label: 'customer', weights: { acme: 3 } } }, { description: 'In turns of customers' });
  await shop.queue('encoding').enqueueMany([...filmsOf('acme', 16), ...filmsOf('globex', 4)]);
  await work(ann, { queue: 'encoding', count: 8, worker: 'encoder-1', verdict: succeed });
}

async function gather({ as, pass }: Stage): Promise<string> {
  const gathers = { quietMs: HOUR_MS / 6, maxMs: HOUR_MS, payloads: 'all' as const };
  await as('ann').queue('newsletter').define({ duplicatePending: 'gather', gather: gathers });
  const ids: string[] = [];
  for (const [at, film] of ['Vertigo', 'Laura', 'Gilda'].entries()) {
    if (at > 0) await pass(2);
    const { id } = await as(at === 1 ? 'critic' : 'shop')
      .queue('newsletter')
      .enqueue({ film, at: `${20 + at}:00` }, { key: 'readers-of-acme' });
    ids.push(id);
  }
  return ids[0]!;
}

async function need(ann: Waybill): Promise<string> {
  await ann.queue('upscaling').define({ needs: { gpu: true } }, { description: 'Only where there is a card' });
  const { id } = await ann
    .queue('upscaling')
    .enqueue({ film: 'Laura' }, { reference: 'laura-4k', needs: { gpu: true, site: 'paris' } });
  await ann.queue('upscaling').claim({ worker: 'upscaler-1', server: 'node-b', offers: { gpu: true, site: 'rome' } });
  return id;
}

async function wait(ann: Waybill, lawyer: Waybill): Promise<string> {
  await ann.queue('contracts').define({}, { description: 'Signed by a person' });
  const { id } = await ann.queue('contracts').enqueue({ customer: 'globex' }, { reference: 'globex-2026' });
  const [claimed] = await lawyer.queue('contracts').claim({ worker: 'lawyer-1' });
  const verdict = { type: 'wait' as const, signal: 'approved', number: 1, timeoutMs: 24 * HOUR_MS };
  await lawyer.settle([{ taskId: id, token: claimed!.token, verdict }]);
  return id;
}

const SAID = [
  ['info', 'opens the archive', { files: 240 }],
  ['debug', 'skips what it has', { files: 17 }],
  ['warn', 'the clock of the archive is wrong', { byMinutes: 61 }],
  ['error', 'could not read one film; goes on', { film: 'reel-112', because: 'checksum' }],
  ['info', 'has read half of it', undefined],
] as const;

async function tell(shop: Waybill, importer: Waybill): Promise<string> {
  await shop.queue('imports').define({ leaseMs: HOUR_MS });
  const { id } = await shop.queue('imports').enqueue({ archive: 'reels' }, { reference: 'archive-of-reels' });
  const [claimed] = await importer.queue('imports').claim({ worker: 'importer-1', server: 'node-b' });
  const at = claimed!.enqueuedAt;
  const log = SAID.map(([level, text, fields], n) => ({ number: n + 1, at, level, text, ...(fields && { fields }) }));
  const progress = [{ title: 'films', start: 0, end: 240, position: 121 }];
  await importer.extend([{ taskId: id, token: claimed!.token, log, progress }]);
  return id;
}
