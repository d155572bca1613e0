import { describe, expect, it } from '@jest/globals';
import { fingerprint, outline, topFrame } from '../../src/domain/kernel/fingerprint.js';
import type { TaskError } from '../../src/domain/task/task.events.js';

const bug = (message: string, stack?: string): TaskError => ({
  message,
  class: 'bug',
  ...(stack !== undefined && { details: { stack } }),
});

describe('the outline of a message', () => {
  it.each([
    ['numbers', 'Took 3,512.5 ms of 3000', 'Took 12 ms of 9'],
    ['ids', 'No user 019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f', 'No user 019a7f40-0000-7d44-9e21-5a0c1b2d3e50'],
    ['names with digits', 'Job mail-17 is gone', 'Job mail-a81f is gone'],
    ['paths', 'Cannot open /var/spool/a/17.eml: denied', 'Cannot open C:\\temp\\b.eml: denied'],
    ['relative paths', 'Cannot open ./a.txt', 'Cannot open ../b/c.txt'],
    ['addresses', 'No route to https://a.example.com/x?y=1', 'No route to http://10.0.0.7:8080'],
    ['hexadecimals', 'At 0xdeadbeef', 'At 0x17'],
    ['quoted values', `Unknown field "colour" in 'a b'`, `Unknown field "size" in 'c'`],
    ['mail addresses', 'Bounced: ann@example.com', 'Bounced: bob.x@example.org'],
    ['times', 'Not before 2026-11-27T10:00:00.123Z', 'Not before 2026-11-28 09:30'],
    ['how many there are', 'Missing 1, 2, 3', 'Missing 4'],
    ['white space', 'A\n  b', 'A b'],
  ])('leaves out %s', (_, one, other) => {
    expect(outline(one)).toBe(outline(other));
  });

  it.each([
    ['ECONNREFUSED', 'ETIMEDOUT'],
    ["Don't know the user's name", "Don't know the user's street"],
    ['read and/or write', 'read and write'],
    ['No such user', 'No such group'],
  ])('keeps what says the cause: %s', (one, other) => {
    expect(outline(one)).not.toBe(outline(other));
  });

  it('is that of the first rule that matches', () => {
    const rules = [
      { match: /status (\d)\d\d/, as: 'status $1xx' },
      { match: /(?<what>user|group) \w+ is locked/, as: '$<what> locked' },
    ];
    const outlines = ['status 404 of /a', 'status 410', 'status 503', 'user ann is locked'].map((message) =>
      outline(message, rules),
    );
    expect(outlines).toEqual(['status 4xx', 'status 4xx', 'status 5xx', 'user locked']);
  });

  it('is empty if the message was erased', () => {
    expect(outline(undefined)).toBe('');
  });

  it('looks at the beginning of a long message, in time that grows with its length', () => {
    const long = 'a-'.repeat(500_000);
    expect(outline(long)).toBe(outline(`${long}b`));
  });
});

describe('the top frame of a stack', () => {
  it.each([
    ['Error: no\n    at send (/app/src/mail.js:10:5)\n    at run (/app/src/main.js:1:1)', 'send mail.js'],
    [
      'Error\n    at node:internal/net:10:5\n    at async Mail.send (file:///app/mail-3fa1.mjs:10:5)',
      'Mail.send #.mjs',
    ],
    ['Error\n    at /app/main.js:10:5', 'main.js'],
    ['Error\n\tat com.shop.Mail.send(Mail.java:17)', 'com.shop.Mail.send Mail.java'],
    [
      'Traceback (most recent call last):\n  File "/a/main.py", line 3, in run\n  File "/a/mail.py", line 9, in send\nE: x',
      'send mail.py',
    ],
    ['nothing of the kind', null],
  ])('is the innermost place in the code of the user: %j', (stack, frame) => {
    expect(topFrame(bug('no', stack))).toBe(frame);
  });

  it('tells failures apart that say the same at different places', () => {
    const at = (place: string) => fingerprint(bug('no', `Error\n    at ${place} (/app/a.js:1:1)`));
    expect(at('send')).not.toBe(at('read'));
    expect(at('send')).toBe(fingerprint(bug('no', 'Error\n    at send (/srv/other/a.js:99:7)')));
  });
});

it('tells classes apart', () => {
  expect(fingerprint(bug('no'))).not.toBe(fingerprint({ message: 'no', class: 'business' }));
});
