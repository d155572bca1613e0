import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { CLASSES } from '../src/queues/figures.js';

it('shows one class of failures in red, and each with dashes of its own', () => {
  expect(CLASSES.filter(([, colour]) => colour.startsWith('--alarm')).map(([name]) => name)).toEqual(['application']);
  expect(new Set(CLASSES.map(([, , dashes]) => String(dashes))).size).toBe(CLASSES.length);
});

const TOKENS = readFileSync(new URL('../src/ui/tokens.css', import.meta.url), 'utf8');

/** The red, green and blue of a token in the light and in the dark theme. */
const coloursOf = (token: string): number[][] =>
  new RegExp(`--${token}: light-dark\\((.*)\\)`)
    .exec(TOKENS)![1]!
    .split(', ')
    .map((colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)));

it('shows what is done in grey, which is neither that of what waits nor a colour', () => {
  for (const [at, channels] of coloursOf('state-done').entries()) {
    expect(Math.max(...channels) - Math.min(...channels)).toBeLessThan(25);
    expect(Math.abs(channels[1]! - coloursOf('state-waiting')[at]![1]!)).toBeGreaterThan(30);
  }
});
