/** The vocabulary of the Waybill HTTP API, generated from openapi.json. */
export type * from './types.js';
export { EVENTS, type EventEffect, type EventType } from './events.js';
export { OPERATIONS, type OperationId } from './operations.js';
