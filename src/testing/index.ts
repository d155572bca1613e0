export { TestWaybill, type TestWaybillOptions } from './test-waybill.js';
export type { EnqueuedTask } from './assertions.js';
