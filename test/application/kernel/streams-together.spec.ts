import { expect, it } from '@jest/globals';
import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { StreamsTogether } from '../../../src/application/kernel/streams-together.js';
import { UnreadableStream } from '../../../src/application/kernel/unreadable-stream.js';

const BROKEN = 'broken';

/** A store that notes which streams are read together, and has as many events of each as it was read before. */
function storeOf(reads: (readonly string[])[]) {
  return {
    readStreams: async (streams: readonly string[]) => {
      reads.push(streams);
      if (streams.includes(BROKEN)) throw new UnreadableStream(BROKEN, 1n, new Error('unknown type'));
      return streams.map((stream) => [{ stream, position: BigInt(reads.length) } as RecordedEvent]);
    },
  };
}

it('streams that are asked for in one turn are read with one statement, each once', async () => {
  const reads: (readonly string[])[] = [];
  const together = new StreamsTogether(storeOf(reads));
  const histories = await Promise.all(['a', 'b', 'a', 'a'].map((stream) => together.read(stream)));
  expect(histories.map(([first]) => first!.stream)).toEqual(['a', 'b', 'a', 'a']);
  expect(reads).toEqual([['a', 'b']]);
});

it('a stream that is asked for later is read again', async () => {
  const reads: (readonly string[])[] = [];
  const together = new StreamsTogether(storeOf(reads));
  const [first] = await together.read('a');
  const [again] = await together.read('a');
  expect([first!.position, again!.position]).toEqual([1n, 2n]);
  await together.read('b');
  expect(reads).toEqual([['a'], ['a'], ['b']]);
});

it('a stream that cannot be read concerns no other', async () => {
  const together = new StreamsTogether(storeOf([]));
  const read = ['a', BROKEN, 'b'].map((stream) =>
    together.read(stream).then(
      ([first]) => first!.stream,
      (error: unknown) => (error as UnreadableStream).stream + ' cannot be read',
    ),
  );
  expect(await Promise.all(read)).toEqual(['a', 'broken cannot be read', 'b']);
});
