/**
 * How much a test does: the whole, or the part of it that shows the same at once. `.ci/run` sets TEST_SIZES=small; `npm test` and
 * `.ci/nightly` run the whole.
 */
export const sizeOf = <Size>(whole: Size, small: Size): Size => (process.env.TEST_SIZES === 'small' ? small : whole);
