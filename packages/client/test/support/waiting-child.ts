import { asChild } from '../../src/index.js';

// The process of a task that waits for a signal.
export default asChild(async (_, run) => run.waitFor('approved', { timeout: '1h' }));
