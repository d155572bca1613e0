/**
 * The vocabulary of the Waybill HTTP API, as types only.
 *
 * `types.ts` is the one alias layer between the API document and everything that speaks to it: whatever
 * produces the shapes, their names stay the ones exported here.
 */
export type * from './types.js';
