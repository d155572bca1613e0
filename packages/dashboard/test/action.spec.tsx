import { describe, expect, it } from '@jest/globals';
import { WaybillError } from '@waybill/client';
import { render } from 'preact-render-to-string';
import { Answered } from '../src/parts/action.js';

describe('a dialog', () => {
  const offered = (error: unknown): string[] =>
    Array.from(
      render(<Answered action={{ name: 'Retry' }} error={error} isBusy={false} onClose={() => {}} />).matchAll(
        /<button[^>]*>([^<]+)</g,
      ),
      ([, name]) => name!,
    );
  const answered = (status: number, code = 'CODE') =>
    new WaybillError({ type: '', title: '', status, code, detail: 'Expected so, but not' });

  it('offers no more what was refused', () => {
    expect(offered(null)).toEqual(['Retry', 'Leave it']);
    for (const status of [403, 404, 409, 422]) expect(offered(answered(status))).toEqual(['Close']);
  });

  it('offers again what may go otherwise', () => {
    const again = [answered(400, 'INVALID_INPUT'), answered(429), answered(503), new TypeError('Failed to fetch')];
    for (const error of again) expect(offered(error)).toEqual(['Retry', 'Leave it']);
  });
});
