import { describe, expect, it } from '@jest/globals';
import { createWaybill } from '../src/index.js';

describe('the definition of a queue', () => {
  const queue = createWaybill({ url: 'http://127.0.0.1:1' }).queue('mail');

  it.each(['description', 'preset', 'replace', 'reason'])(
    'says what to write if the policy has the option %s',
    async (option) => {
      const define = async () => queue.define({ [option]: 'x' } as never);
      await expect(define()).rejects.toThrow(
        `'${option}' is none: it is an option, so write define({ ... }, { ${option}: ... })`,
      );
    },
  );
});
