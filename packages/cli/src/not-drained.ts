import { NotDrained } from '@waybill/client';
import { NotDone } from './problems.js';

/** A drain that did not end is no fault: it says what runs, and exits with 1. */
export function asNotDone(error: unknown): never {
  if (error instanceof NotDrained) throw new NotDone(`${error.message}.`);
  throw error;
}
