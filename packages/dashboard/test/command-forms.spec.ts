import { describe, expect, it } from '@jest/globals';
import { callText } from '../src/actions/call-text.js';
import { curlText } from '../src/actions/curl-text.js';
import { quoted } from '../src/actions/quoted.js';

describe('a command for a program', () => {
  it('is the call that the page makes, without what it leaves out', () => {
    expect(callText((waybill) => waybill.queue('mail').pause({ reason: undefined }))).toBe(
      `await waybill.queue('mail').pause();`,
    );
    expect(callText((waybill) => waybill.task('7').decide('retry', { reason: "it's mended" }))).toBe(
      String.raw`await waybill.task('7').decide('retry', { reason: 'it\'s mended' });`,
    );
  });

  it('has objects, lists and times as a program writes them', () => {
    const labels = { collection: 'maps', 'a-b': 'c' };
    expect(callText((waybill) => waybill.holds.place('maps', labels, {}))).toBe(
      `await waybill.holds.place('maps', { collection: 'maps', 'a-b': 'c' });`,
    );
    expect(callText((waybill) => waybill.task('7').reschedule(new Date(0), {}))).toBe(
      `await waybill.task('7').reschedule(new Date('1970-01-01T00:00:00.000Z'));`,
    );
    expect(callText((waybill) => waybill.operate('retry', { tasks: ['a', 'b'] }))).toBe(
      `await waybill.operate('retry', { tasks: ['a', 'b'] });`,
    );
  });

  it('is that of a command that is asked for in a function of its own', () => {
    expect(callText(async (waybill) => ({ ...(await waybill.trigger('nightly').fire({ reason: 'x' })) }))).toBe(
      `await waybill.trigger('nightly').fire({ reason: 'x' });`,
    );
  });
});

describe('a command for curl', () => {
  it('is the request that the page would send, with a place for the key; nothing is sent', async () => {
    const text = await curlText('http://waybill:8080', 'ann', (waybill) =>
      waybill.queue('mail').pause({ reason: "it's late" }),
    );
    expect(text.split(' \\\n  ')).toEqual([
      'curl -X POST http://waybill:8080/v1/queues/mail/pause',
      expect.stringMatching(/^-H 'content-type: application\/json'$/),
      "-H 'waybill-actor: ann'",
      '-H "authorization: Bearer $WAYBILL_API_KEY"',
      String.raw`-d '{"reason":"it'\''s late"}'`,
    ]);
  });

  it('names the version of the policy that is changed', async () => {
    const text = await curlText('http://waybill:8080', 'ann', (waybill) =>
      waybill.queue('mail').changePolicy({ leaseMs: 1 }, { ifVersion: 3 }),
    );
    expect(text).toContain(`-H 'if-match: "3"'`);
  });
});

describe('a word for a shell', () => {
  it.each([
    ['mail', 'mail'],
    ['the provider is down', "'the provider is down'"],
    ["it's", String.raw`'it'\''s'`],
    ['$HOME', "'$HOME'"],
    ['', "''"],
  ])('of %s is %s', (text, word) => {
    expect(quoted(text)).toBe(word);
  });
});
