import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Outage, sayUnlessAway } from '../../../src/application/kernel/outage.js';

describe('what is told of a store that does not serve', () => {
  let now: number;
  let lines: string[];
  let outage: Outage;
  beforeEach(() => {
    [now, lines] = [0, []];
    outage = new Outage({ of: 'Store', gone: 'It is away', back: 'It is back after' });
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    for (const level of ['log', 'warn'] as const)
      jest.spyOn(Logger.prototype, level).mockImplementation((line: unknown) => void lines.push(String(line)));
  });
  afterEach(() => void jest.restoreAllMocks());

  const say = (error: Error): void => sayUnlessAway(error, error.message, (line) => lines.push(line));
  /** A call that takes a millisecond, and whoever made it. */
  function fails(message: string, began = now): void {
    const error = new Error(message);
    now += 1;
    outage.missed(error, began);
    say(new Error(message, { cause: error }));
  }
  function served(began = now): void {
    now += 1;
    outage.reached(began);
  }

  it('is one line for all calls that fail, and one when it is back', () => {
    fails('no answer');
    now += 10;
    for (const loop of ['one', 'another', 'a third']) fails(loop);
    now += 2_000;
    served();
    served();
    expect(lines).toEqual(['It is away: one', 'It is back after 2.0 s']);
  });

  it('is what the caller says if others are served, once it is known', () => {
    fails('lost');
    fails('lost', -1);
    fails('lost, too', -1);
    expect(lines).toEqual([]);
    now += 1;
    served();
    expect(lines).toEqual(['lost', 'lost, too']);
  });

  it('waits for a call that began after the first that failed', () => {
    now = 10;
    fails('lost', 0);
    served(5);
    fails('late', 6);
    expect(lines).toEqual([]);
    now += 1;
    fails('again');
    served(7);
    expect(lines).toEqual(['It is away: again']);
  });

  it('is nothing about a call that fails when the store is back, but began before', () => {
    fails('no answer');
    now += 1;
    fails('no answer');
    const began = now;
    now += 100;
    served();
    fails('timed out', began);
    fails('closed by that');
    now += 1_001;
    fails('something new');
    now += 1;
    served();
    expect(lines).toEqual(['It is away: no answer', 'It is back after 0.1 s', 'something new']);
  });

  it('is no outage if a call fails late that began within a trouble that was none', () => {
    fails('lost');
    now += 1;
    const began = now;
    served();
    fails('late', began);
    expect(lines).toEqual(['lost', 'late']);
  });

  it('is no outage if a connection is lost, and neither are several at once', () => {
    for (let lost = 0; lost < 3; lost++) {
      const error = new Error('terminated');
      outage.lost(error);
      say(error);
      now += 1;
    }
    served();
    expect(lines).toEqual(['terminated']);
  });

  it('is at once what has no store behind it', () => {
    say(new Error('a bug'));
    expect(lines).toEqual(['a bug']);
  });
});
