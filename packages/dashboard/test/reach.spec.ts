import { describe, expect, it } from '@jest/globals';
import { WaybillError, WaybillUnavailable } from '@waybill/client';
import { isForGood } from '../src/app/reach.js';

const refusal = (status: number) => new WaybillError({ status, code: 'X', title: 'X', detail: 'x' } as never);

describe('a request that a page repeats every three seconds', () => {
  it.each([400, 401, 403, 404])('is not repeated after the refusal %s', (status) => {
    expect(isForGood(refusal(status))).toBe(true);
  });

  it.each([408, 429, 500, 503])('is repeated after the refusal %s', (status) => {
    expect(isForGood(refusal(status))).toBe(false);
  });

  it('is repeated if the service is away', () => {
    expect(isForGood(new TypeError('fetch failed'))).toBe(false);
    expect(isForGood(Object.create(WaybillUnavailable.prototype))).toBe(false);
  });
});
