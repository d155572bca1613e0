import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { idOfStream } from '../../../src/domain/aggregates.js';
import type { DomainEvent } from '../../../src/domain/kernel/decider.js';
import { faultInTriggerEvent } from '../../../src/domain/trigger/sound-event.js';

const GOLDEN = new URL('../../golden/', import.meta.url);

/** All events of triggers that were ever written, with their triggers. */
const stored: readonly (readonly [trigger: string, event: DomainEvent])[] = readdirSync(GOLDEN).flatMap((log) => {
  const file = new URL(`${log}/eventstoredb.ndjson`, GOLDEN);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const events = lines.map((line) => JSON.parse(line) as { stream: string; type: string; data: string });
  return events
    .filter(({ type }) => type.startsWith('Trigger'))
    .map(
      ({ stream, type, data }) => [idOfStream(stream), { type, version: 1, data: JSON.parse(data) as object }] as const,
    );
});

describe('an event of a trigger', () => {
  it('has no fault if any build wrote it', () => {
    expect(new Set(stored.map(([, { type }]) => type)).size).toBeGreaterThanOrEqual(9);
    expect(stored.filter(([trigger, event]) => faultInTriggerEvent(trigger, event) !== null)).toEqual([]);
  });

  it.each([
    ['TriggerDefined', {}],
    ['TriggerDefined', { definition: { event: {}, task: { queue: 'q' } }, next: null }],
    ['TriggerDefined', { definition: { event: { types: ['A'] } }, next: null }],
    ['TriggerDefined', { definition: { cron: '* * * * *', task: { queue: 'q' } }, next: 'soon' }],
    ['TriggerChanged', { definition: null, next: null }],
    ['TriggerEnabled', {}],
    ['TriggerFired', { firings: [], at: '2026-01-01T00:00:00Z' }],
    [
      'TriggerFired',
      { firings: [{ occurrence: '2026-01-01T00:00:00Z', task: 't', position: 'x' }], at: '2026-01-01T00:00:00Z' },
    ],
    ['TriggerGaveUp', { failures: 1, problem: {} }],
    ['TriggerFailed', { failures: 1, problem: {}, retryAt: 7 }],
    ['TriggerSkipped', {}],
    ['TriggerDisabled', null],
  ])('%s has a fault if its data are %j', (type, data) => {
    expect(
      faultInTriggerEvent('nightly', { type, version: 1, data: data && { trigger: 'nightly', ...data } } as never),
    ).not.toBeNull();
  });

  it('has a fault if it names another trigger', () => {
    expect(
      faultInTriggerEvent('nightly', { type: 'TriggerDisabled', version: 1, data: { trigger: 'daily' } }),
    ).not.toBeNull();
  });
});
