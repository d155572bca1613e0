/**
 * V8 considers optimising a function once it has run so many bytes of bytecode, six times V8's own number. Most processes of tests live for
 * seconds: optimising took 15 % of what they cost.
 */
export const LATE_OPTIMISING = '--interrupt-budget=400000';

/** For Node that runs Jest, whose workers take them over. `npm test` has the same. The young generation starts large instead of growing to it. */
export const FOR_JEST = ['--max-semi-space-size=64', '--min-semi-space-size=16', LATE_OPTIMISING];
