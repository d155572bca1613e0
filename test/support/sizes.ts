/**
 * How much a test does: the whole, or the part of it that shows the same at once. `.ci/run` sets TEST_SIZES=small; `npm test` and
 * `.ci/nightly` run the whole.
 */
export const sizeOf = (whole: number, small: number): number => (process.env.TEST_SIZES === 'small' ? small : whole);
