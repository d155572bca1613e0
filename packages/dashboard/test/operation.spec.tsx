import { describe, expect, it } from '@jest/globals';
import type { OperationView } from '@waybill/client';
import { Became } from '../src/operations/became.js';
import { Canary } from '../src/operations/canary.js';
import { Result } from '../src/operations/result.js';
import { textOf } from './rendered.js';

const ordered = { order: { canary: { first: 5, goOnIf: 0.8 } }, canary: null, finishedAt: null };
const canary = (more: object) => textOf(<Canary operation={{ ...ordered, ...more } as unknown as OperationView} />);

describe('the canary of an operation', () => {
  it('says how many try it first, and then what they decided about the others', async () => {
    expect(await canary({})).toBe('5 tasks try it first. The others follow if 80 % of them succeed.');
    const good = { goesOn: true, succeeded: 4, failed: 1, open: 0 };
    expect(await canary({ canary: good })).toBe('Of the first 5 tasks, 4 succeeded, 1 failed: so the others followed.');
    const bad = { goesOn: false, succeeded: 1, failed: 3, open: 1 };
    expect(await canary({ canary: bad })).toBe(
      'Of the first 5 tasks, 1 succeeded, 3 failed, 1 were open: so the others were left alone.',
    );
  });

  it('is not shown for an operation without one, or that was stopped before', async () => {
    expect(await canary({ order: {} })).toBe('');
    expect(await canary({ finishedAt: '2026-11-23T00:00:00Z' })).toBe('');
  });
});

it('the result of an operation says how many have it, and what was refused, with an example', async () => {
  const examples = [{ task: '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e50', code: 'ILLEGAL_TRANSITION' }];
  const result = { asked: 3, done: 1, refused: { ILLEGAL_TRANSITION: 2 }, examples };
  expect(await textOf(<Result expected={3} result={result} isOver />)).toBe(
    '1 of 3 tasks took the command.\n2 tasks refused: ILLEGAL_TRANSITION, such as 1b2d3e50',
  );
  const first = { ...result, asked: 5, done: 5, refused: {} };
  expect(await textOf(<Result expected={68} result={first} isOver={false} />)).toBe(
    '5 of 68 tasks were asked so far; 5 took the command.',
  );
  expect(await textOf(<Result expected={68} result={first} isOver />)).toBe(
    '5 of 68 tasks were asked; 5 took the command.',
  );
});

it('what is taken back is failed, not failed again', async () => {
  const outcome = { succeeded: 0, failed: 5, open: 0, ended: 0, groups: [] };
  expect(await textOf(<Became outcome={outcome} />)).toContain('5 failed again');
  expect(await textOf(<Became outcome={outcome} isTried={false} />)).not.toContain('again');
});
