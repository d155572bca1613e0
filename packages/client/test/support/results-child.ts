import { asChild } from '../../src/index.js';

/** The process of a task that needs the result of the one before. */
export default asChild(async (_, run) => (await run.results()).of('assets'));
