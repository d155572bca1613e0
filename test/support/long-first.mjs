import TestSequencer from '@jest/test-sequencer';

/** What takes minutes. */
const LONG =
  /\/test\/(chaos|model|bench|packaging)\/|\/examples\/|\/(serial|trigger-kills|outage|repeats|random-gaps)\./;

/**
 * Starts the longest spec files first, so that none is left alone at the end. In a clean checkout, Jest would start the
 * largest files first, and many of the longest are small.
 */
export default class LongFirst extends TestSequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    const isLong = ({ path }) => LONG.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
