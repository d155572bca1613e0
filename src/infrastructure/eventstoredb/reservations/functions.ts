import { functionsBeside } from '../../database/sql.js';

/**
 * Reservations: what an append takes before its event is stored elsewhere. All of it happens under the log lock, like the
 * application of the events, so that each looks at a state that nobody changes meanwhile.
 */
export const RESERVATION_FUNCTIONS = functionsBeside(import.meta.url, [
  'functions/waits-for',
  'functions/under-way',
  'functions/insert-reservation',
  'functions/reserve-scope',
  'functions/reserve-claim',
  'functions/reserve-task',
  'functions/reserve',
  'functions/reserve-claims',
  'functions/release',
  'functions/apply-claim',
  'functions/has-applied',
  'functions/apply',
  // What the appends of one transaction take together, before it is committed by one event of its own.
  'functions/stale-in-index',
  'functions/try',
  'functions/transaction-under-way',
  'functions/reserve-transaction',
]);
