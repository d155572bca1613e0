import TestSequencer from '@jest/test-sequencer';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** What spec files of ten seconds or more took in a run of the gate (`scripts/slowest-specs.mjs` prints the first of them). */
const SECONDS = JSON.parse(readFileSync(new URL('spec-seconds.json', import.meta.url), 'utf8'));

const secondsOf = ({ path, context }) => SECONDS[relative(context.config.rootDir, path)] ?? 0;

/**
 * Starts the longest spec files first, so that none is left alone at the end. In a clean checkout, Jest would start the
 * largest files first, and many of the longest are small.
 */
export default class LongFirst extends TestSequencer {
  async sort(tests) {
    return (await super.sort(tests)).sort((a, b) => secondsOf(b) - secondsOf(a));
  }
}
