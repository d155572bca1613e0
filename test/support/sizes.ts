/**
 * How much a test does: the whole, or the part of it that is enough where another lane of the same run does the whole.
 * `.ci/run` sets TEST_SIZES=small for the tests with the events in EventStoreDB, where an event costs ten times as
 * much; `.ci/nightly` runs them whole.
 */
export const sizeOf = (whole: number, small: number): number => (process.env.TEST_SIZES === 'small' ? small : whole);
