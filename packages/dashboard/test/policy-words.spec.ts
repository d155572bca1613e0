import { expect, it } from '@jest/globals';
import { fieldInWords } from '../src/queues/policy-words.js';

it.each<[string, unknown, string]>([
  [
    'gather',
    { quietMs: 7_000, maxMs: 60_000, payloads: 'all' },
    'until none has come for 7 s, 1 min at most; the task has a list of all payloads',
  ],
  [
    'gather',
    { quietMs: 1_500, maxMs: 61_500, payloads: 'last' },
    'until none has come for 1.5 s, 1 min 1.5 s at most; the task has the payload of the last',
  ],
  [
    'fair',
    { label: 'tenant', weights: { acme: 5, beta: 1 } },
    'the values of tenant in turn; acme has 5 turns; beta has 1 turn',
  ],
  ['fair', { label: 'tenant' }, 'the values of tenant in turn'],
  ['needs', { gpu: true, site: 'paris' }, 'gpu = true, site = paris'],
  [
    'perLabel',
    { label: 'customer', maxRunning: 2, rate: { starts: 100, perMs: 60_000, burst: 20 } },
    'each value of customer: 2 running, 100/m, 20 at once',
  ],
  [
    'perLabel',
    { label: 'c', values: [1, 2, 3, 4].map((n) => ({ value: `v${n}`, maxRunning: n })) },
    'each value of c: no limit; v1: 1 running; v2: 2 running; v3: 3 running; 1 other value with limits of its own',
  ],
  ['rate', { starts: 5, perMs: 1_000, burst: 5 }, '5/s, 5 at once'],
  [
    'payloadSchemas',
    {
      order: {
        type: 'object',
        properties: { customer: { type: 'string' }, items: { type: ['array', 'null'] }, note: {} },
        required: ['customer'],
      },
      ping: { type: 'string' },
      any: { anyOf: [] },
    },
    'order: an object with customer string required, items array or null, note; ping: string; any: as its schema says',
  ],
  ['payloadSchemas', {}, 'none'],
  [
    'retry.backoff',
    { kind: 'exponential', baseMs: 1_000, factor: 2, capMs: 3_600_000, jitter: 'full' },
    '1 s after the first failure, 2 times as long after each other, 1 h at most, or less, at random',
  ],
  [
    'retry.backoff',
    { kind: 'fixed', baseMs: 90_000, factor: 2, capMs: 90_000, jitter: 'none' },
    '1 min 30 s after each failure',
  ],
  ['concurrency', { perServer: 3 }, '3 on each server'],
  ['concurrency', 'serial', 'serial'],
  [
    'priority',
    {
      from: 'rules',
      rules: [
        { label: 'express', add: 5 },
        { label: 'customer', value: 'acme', add: -2 },
        { batchAbove: 100, add: 1 },
      ],
    },
    'the default one; +5 with express; −2 with customer = acme; +1 in batches of more than 100 tasks',
  ],
  [
    'steps',
    ['scan', { name: 'ocr', maxRunMs: 90_000, retry: { maxAttempts: 5 }, needs: [{ resource: 'licences', below: 3 }] }],
    'scan, ocr (max run 1 min 30 s, retry max attempts 5, needs resource licences, below 3)',
  ],
  [
    'commands',
    ['RetryTask', { command: 'AbortTask', in: ['failed', 'held'] }],
    'retry task, abort task (if failed or held)',
  ],
  ['commands', null, 'all'],
  ['vocabulary', { pending: 'QUEUED' }, 'pending is “QUEUED”'],
  ['dueTimes', { cron: '0 8 * * 1-5', timeZone: 'UTC' }, '0 8 * * 1-5, in the time zone UTC'],
  [
    'batches',
    { preset: null, reRunReporting: 'all', creatorChooses: true },
    'preset none, re run reporting all, creator chooses yes',
  ],
  ['retention.failed', 1, 'after 1 day'],
  ['retention.failed', null, 'never'],
  ['limits.payloadBytes', 262_144, '262 kB'],
  ['takeoverSeconds', 30, '30 s'],
  ['leaseMs', 43_200_001, '12 h 0.001 s'],
  ['kinds', [], 'none'],
])('says %s %j', (field, value, words) => expect(fieldInWords(field, value)).toBe(words));
