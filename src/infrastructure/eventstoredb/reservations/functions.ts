import { INDEX_FOLLOWER } from '../../../projections/read-models.js';
import { functionsBeside } from '../../database/sql.js';

/**
 * Reservations: what an append takes in Postgres before its event is stored in EventStoreDB. They are made under the
 * log lock, as is the application of events, so that each sees a state that nobody changes meanwhile.
 */
export const RESERVATION_FUNCTIONS = functionsBeside(
  import.meta.url,
  [
    'functions/waits-for',
    'functions/is-on-its-way',
    'functions/under-way',
    'functions/insert-reservation',
    'functions/may-lack-reservations',
    'functions/reserve-scope',
    'functions/reserve-claim',
    'functions/reserve-expiry',
    'functions/reserve-task',
    'functions/reserve-plain',
    'functions/reserve',
    'functions/claimable',
    'functions/reserve-claims',
    'functions/confirm',
    'functions/release',
    'functions/end-reservations',
    'functions/keep-history',
    'functions/apply-keyed-creates',
    'functions/apply-creates',
    'functions/apply-claims',
    'functions/apply-successes',
    'functions/index-revision',
    'functions/has-applied',
    'functions/apply-change',
    'functions/apply',
    'functions/park',
    'functions/count-gaps',
    'functions/mend',
    // Reserves together what all appends of one transaction need. One event commits the transaction afterwards.
    'functions/stale-in-index',
    'functions/try',
    'functions/transaction-under-way',
    'functions/reserve-transaction',
  ],
  { INDEX_FOLLOWER: `'${INDEX_FOLLOWER}'` },
);
