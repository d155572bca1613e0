import { asChild } from '@waybill/client';
import { createHash } from 'node:crypto';

/** Hashes the text that a task carries. Says which process did it. A text 'wait' is awaited until the task must stop. */
export default asChild<{ readonly text: string }>(async ({ payload: { text } }, run) => {
  run.progress('texts', { end: 1, position: 0 });
  if (text === 'fail') throw Object.assign(new Error('cannot hash this'), { class: 'business' });
  if (text === 'exit') process.exit(7);
  if (text === 'wait')
    await new Promise((_, reject) => run.signal.addEventListener('abort', () => reject(run.signal.reason)));
  run.progress('texts', { end: 1, position: 1 });
  run.log('hashed', { fields: { characters: text.length } });
  return { hash: createHash('sha256').update(text).digest('hex'), pid: process.pid };
});
