import { fill } from '../graph/work.mjs';

const BATCH = 500;
const LANES = 4;
const LETTERS = 26;
const FIRST_LETTER = 97;

/** Fails `count` new tasks, each with the next of so many messages that have no part in common, from the message `from` on. */
export async function failTasks(waybill, queue, { from, count, messages }) {
  await fill(queue, count);
  let [next, left] = [from, count];
  const verdict = () => ({ type: 'fail', error: { message: messageOf(next++ % messages), class: 'transient' } });
  const lane = async (at) => {
    while (left > 0) {
      const claimed = await queue.claim({ worker: `w${at}`, max: BATCH, waitMs: 100, build: 'b1' });
      left -= claimed.length;
      const items = claimed.map(({ taskId, token }) => ({ taskId, token, verdict: verdict() }));
      if (items.length > 0) await waybill.settle(items);
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, at) => lane(at)));
}

/** Without digits, which would be taken out of a message. */
const messageOf = (n) => `no route to ${word(n)}`;

const word = (n) =>
  String.fromCharCode(FIRST_LETTER + (n % LETTERS)) + (n < LETTERS ? '' : word(Math.floor(n / LETTERS)));
