import { describe, expect, it } from '@jest/globals';
import type { EventView } from '@waybill/client';
import { paintFor } from '../../packages/cli/src/terminal/paint.js';
import { timeline } from '../../packages/cli/src/terminal/timeline.js';

const paint = paintFor({ isTTY: false } as NodeJS.WriteStream, { NO_COLOR: '1' });

const event = (type: string, actor: string, data: object): EventView =>
  ({
    position: '7',
    revision: 1,
    type,
    version: 1,
    stream: 'task-1',
    recordedAt: '2026-11-26T06:00:00.000Z',
    data,
    envelope: { actor, correlationId: 'c' },
  }) as unknown as EventView;

const retried = (actor: string) =>
  event('TaskAttemptFailed', actor, { error: { class: 'transient', message: 'no paper' } });

describe('the history of a task on a terminal', () => {
  const linesOf = (...events: readonly EventView[]) => timeline(events, paint, 120);

  it('has the details of every event in one column, however long the names of actors are', () => {
    const actor = 'print-server-17.example.com-31415';
    const [head, , short, long, details] = linesOf(retried('ann'), retried(actor));
    const column = head!.indexOf('details');
    expect(short!.slice(column)).toBe('ran 0 ms; transient: no paper');
    expect(long).toMatch(new RegExp(`TaskAttemptFailed +${actor} *$`));
    expect(details).toBe(`${' '.repeat(column)}ran 0 ms; transient: no paper`);
  });

  it('has no line for the details of an event that has none', () => {
    const lines = linesOf(event('TaskSubmitted', 'print-server-17.example.com-31415', {}), retried('ann'));
    expect(lines.slice(2).map((line) => line.trim() !== '')).toEqual([true, true]);
  });
});
