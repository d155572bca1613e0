import { ByteRoom } from '../../../src/application/kernel/byte-room.js';

const going = new AbortController().signal;

/** The names of those who have got their bytes, in the order in which they got them. */
function asking(room: ByteRoom) {
  const got: string[] = [];
  const ask = (name: string, bytes: number, signal = going) =>
    room.take(bytes, signal).then((held) => {
      got.push(held ? name : `${name} left`);
      return held;
    });
  return { got, ask };
}

const settled = (): Promise<void> => new Promise(setImmediate);

it('gives bytes in the order in which they were asked for, also if a later one would fit', async () => {
  const room = new ByteRoom(10);
  const { got, ask } = asking(room);
  const first = await ask('first', 8);
  void ask('large', 6);
  void ask('small', 1);
  await settled();
  expect(got).toEqual(['first']);
  first!.giveBack();
  await settled();
  expect(got).toEqual(['first', 'large', 'small']);
});

it('gives what exceeds the room alone', async () => {
  const room = new ByteRoom(10);
  const { got, ask } = asking(room);
  const huge = await ask('huge', 50);
  void ask('next', 1);
  await settled();
  expect(got).toEqual(['huge']);
  huge!.giveBack();
  await settled();
  expect(got).toEqual(['huge', 'next']);
});

it('gives what others shrank to the next, and each byte back once', async () => {
  const room = new ByteRoom(10);
  const { got, ask } = asking(room);
  const first = await ask('first', 10);
  void ask('second', 6);
  first!.shrinkTo(4);
  await settled();
  expect(got).toEqual(['first', 'second']);
  first!.giveBack();
  first!.giveBack();
  expect(room.tryTake(5)).toBeNull();
  expect(room.tryTake(4)).not.toBeNull();
});

it('lets those behind one that left have their turn', async () => {
  const room = new ByteRoom(10);
  const { got, ask } = asking(room);
  await ask('first', 8);
  const leaving = new AbortController();
  void ask('large', 6, leaving.signal);
  void ask('small', 2);
  await settled();
  leaving.abort();
  await settled();
  expect(got).toEqual(['first', 'large left', 'small']);
});
