import { describe, expect, it } from '@jest/globals';
import type { AppendItem, Refusal } from '../../src/application/kernel/event-store.port.js';
import { PreviewUnit } from '../../src/application/previews/preview-unit.js';
import { queueStream } from '../../src/domain/queue/queue.stream.js';
import { enqueue } from '../support/events.js';

const QUEUE_CHANGED: Refusal = { constraint: 'queue-changed' };

/** A unit over a store that has one event in each of these streams, and what its index is asked and answers. */
function unitOver(stored: readonly string[], refusal: Refusal | null = null) {
  const asked: { readonly items: readonly AppendItem[]; readonly created: readonly string[] }[] = [];
  const store = {
    readStreams: async (streams: readonly string[]) =>
      streams.map((stream) => (stored.includes(stream) ? [{ revision: 0 }] : [])),
  };
  const index = {
    refusals: async (items: readonly AppendItem[], created: readonly string[]) => {
      asked.push({ items, created });
      return items.map(() => refusal);
    },
  };
  return { unit: new PreviewUnit(store as never, index as never), asked };
}

describe('a unit in which a command is previewed', () => {
  it('tells of something new that it is there, although the command has not read it', async () => {
    const there = enqueue('mail');
    const { unit } = unitOver([there.stream]);
    expect(await unit.append([there])).toEqual([{ kind: 'conflict', actual: 0 }]);
    expect(unit.parts()).toEqual([]);
  });

  it('answers as the index would refuse, and keeps nothing of that', async () => {
    const { unit } = unitOver([], QUEUE_CHANGED);
    expect(await unit.append([enqueue('mail')])).toEqual([{ kind: 'refused', ...QUEUE_CHANGED }]);
    expect(unit.parts()).toEqual([]);
  });

  it('tells the index what the command has made before', async () => {
    const [first, second] = [enqueue('mail'), enqueue('mail')];
    const { unit, asked } = unitOver([]);
    await unit.append([first]);
    await unit.append([second]);
    expect(asked.map(({ created }) => created)).toEqual([[first.stream], [first.stream, second.stream]]);
  });

  it('does not ask whether a queue is unchanged that the command itself changes', async () => {
    const { unit, asked } = unitOver([queueStream('mail')]);
    await unit.append([{ stream: queueStream('mail'), expected: 0, events: [] }]);
    const conditions = { queue: { name: 'mail', revision: 0 } };
    await unit.append([
      { ...enqueue('mail'), conditions },
      { ...enqueue('scan'), conditions: { queue: { name: 'scan', revision: 0 } } },
    ]);
    expect(asked[1]!.items.map((item) => item.conditions)).toEqual([{}, { queue: { name: 'scan', revision: 0 } }]);
  });
});
