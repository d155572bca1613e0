/** The vocabulary of the Waybill HTTP API: types only, generated from openapi.json. */
export type * from './types.js';
