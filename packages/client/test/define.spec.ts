import { describe, expect, it } from '@jest/globals';
import { createWaybill } from '../src/index.js';

describe('the definition of a queue', () => {
  const queue = createWaybill({ url: 'http://127.0.0.1:1' }).queue('mail');

  it.each(['description', 'preset', 'replace', 'reason', 'idempotencyKey', 'timeoutMs', 'signal'])(
    'says what to write if the policy has the option %s',
    async (option) => {
      const define = async () => queue.define({ [option]: 'x' } as never);
      await expect(define()).rejects.toThrow(
        `'${option}' is none: it is an option, so write define({ ... }, { ${option}: ... })`,
      );
    },
  );

  it.each(['ifVersion', 'reason', 'requestId'])('says so of a change, too: %s', async (option) => {
    const change = async () => queue.changePolicy({ [option]: 'x' } as never, undefined as never);
    await expect(change()).rejects.toThrow(
      `'${option}' is none: it is an option, so write changePolicy({ ... }, { ${option}: ... })`,
    );
  });

  it('takes retry for the field of the policy', async () => {
    const define = async () => queue.define({ retry: { maxAttempts: 2 } }, { retry: { attempts: 1 } });
    await expect(define()).rejects.not.toBeInstanceOf(TypeError);
  });
});
