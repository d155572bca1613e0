import { describe, expect, it } from '@jest/globals';
import { CompactRange } from '../../../src/domain/merkle/compact-range.js';
import { hashing } from '../../../src/infrastructure/notary/node-signing.js';
import { type LogFinding, LogVerification } from '../../../src/infrastructure/notary/verification.js';

const NOON = Date.parse('2026-11-28T12:00:00Z');
const HOUR_MS = 3_600_000;

const leafAt = (position: number, recordedMs: number) => ({
  first: BigInt(position),
  position: BigInt(position),
  recordedMs,
  hash: hashing.leaf(Buffer.from(String(position))),
  notes: {},
});

/** What is found in a log with these times, of whose first leaves a witness saw so many at a time. */
function found(times: readonly number[], seen?: { readonly size: number; readonly witnessedMs: number }) {
  const leaves = times.map((time, at) => leafAt(at + 1, time));
  const range = new CompactRange(hashing);
  for (const { hash } of leaves.slice(0, seen?.size ?? 0)) range.add(hash);
  const findings: LogFinding[] = [];
  const seals = seen ? [{ ...seen, root: range.root(), note: 'kept', log: 'waybill/a', nextKey: null }] : [];
  const verification = new LogVerification(seals, (finding) => findings.push(finding));
  for (const leaf of leaves) verification.take(leaf, undefined);
  verification.end();
  return findings.map(({ kind, position }) => `${kind} at ${position}`);
}

describe('the times of a log whose clock was an hour ahead, and was set right', () => {
  const AHEAD = [NOON, NOON + HOUR_MS, NOON + 2_000, NOON + 3_000];

  it('go back once without a witness', () => {
    expect(found(AHEAD)).toEqual(['TIME_BACK at 3']);
  });

  it('do not if a witness saw the event before the time that it claims', () => {
    expect(found(AHEAD, { size: 2, witnessedMs: NOON + 1_000 })).toEqual([]);
  });

  it('do if the witness saw it later, or only what was before it', () => {
    expect(found(AHEAD, { size: 2, witnessedMs: NOON + HOUR_MS })).toContain('TIME_BACK at 3');
    expect(found(AHEAD, { size: 1, witnessedMs: NOON + 1_000 })).toEqual(['TIME_BACK at 3']);
  });

  it('do not hide what is older than the time of the witness', () => {
    const backdated = [...AHEAD.slice(0, 2), NOON - HOUR_MS];
    expect(found(backdated, { size: 2, witnessedMs: NOON + 1_000 })).toEqual(['TOO_OLD at 3', 'TIME_BACK at 3']);
  });
});

it('a time that no build writes is found, and does not hide what is backdated behind it', () => {
  expect(found([NOON, NaN, NOON + 1_000])).toEqual(['ALTERED at 2']);
  expect(found([NOON, NaN, NOON - HOUR_MS])).toEqual(['ALTERED at 2', 'TIME_BACK at 3']);
  const seen = { size: 2, witnessedMs: NOON };
  expect(found([NOON, NaN, NOON - HOUR_MS], seen)).toEqual(['ALTERED at 2', 'TOO_OLD at 3', 'TIME_BACK at 3']);
});
