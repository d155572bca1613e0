import { ErrorType } from '@eventstore/db-client';
import { ErrorType as KurrentErrorType } from '@kurrent/kurrentdb-client';
import { readFileSync } from 'node:fs';
import { problemOf } from '../../../src/api/problems/problem-of-error.js';
import { EventStoreUnavailable } from '../../../src/application/kernel/event-store.port.js';
import {
  isUnavailable,
  unreachable,
  type Verdict,
  verdictOn,
} from '../../../src/infrastructure/eventstoredb/log/store-errors.js';

/** The complete list of the clients' error types, with the verdict on each. Those of the first are those of both. */
const BY_TYPE: Readonly<Record<`${Exclude<KurrentErrorType, KurrentErrorType.UNKNOWN>}`, Verdict>> = {
  [ErrorType.TIMEOUT]: 'unavailable',
  [ErrorType.DEADLINE_EXCEEDED]: 'unavailable',
  [ErrorType.UNAVAILABLE]: 'unavailable',
  [ErrorType.CANCELLED]: 'unavailable',
  [ErrorType.NOT_LEADER]: 'unavailable',
  [ErrorType.INVALID_TRANSACTION]: 'unavailable',
  [ErrorType.ACCESS_DENIED]: 'denied',
  [ErrorType.WRONG_EXPECTED_VERSION]: 'conflict',
  [ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED]: 'refused',
  [ErrorType.STREAM_NOT_FOUND]: 'absent',
  [ErrorType.NO_STREAM]: 'absent',
  [ErrorType.STREAM_DELETED]: 'absent',
  [KurrentErrorType.STREAM_TOMBSTONED]: 'absent',
  [KurrentErrorType.APPEND_RECORD_SIZE_EXCEEDED]: 'refused',
  [KurrentErrorType.TRANSACTION_MAX_SIZE_EXCEEDED]: 'refused',
  // Cannot occur here.
  [ErrorType.NOT_FOUND]: 'bug',
  [ErrorType.INVALID_ARGUMENT]: 'bug',
  [ErrorType.SCAVENGE_NOT_FOUND]: 'bug',
  [ErrorType.MISSING_REQUIRED_METADATA_PROPERTY]: 'bug',
  [ErrorType.PERSISTENT_SUBSCRIPTION_FAILED]: 'bug',
  [ErrorType.PERSISTENT_SUBSCRIPTION_DOES_NOT_EXIST]: 'bug',
  [ErrorType.PERSISTENT_SUBSCRIPTION_EXISTS]: 'bug',
  [ErrorType.PERSISTENT_SUBSCRIPTION_DROPPED]: 'bug',
  [ErrorType.MAXIMUM_SUBSCRIBERS_REACHED]: 'bug',
  [ErrorType.USER_NOT_FOUND]: 'bug',
  [ErrorType.USER_CONFLICT]: 'bug',
  [ErrorType.UNSUPPORTED]: 'bug',
  [KurrentErrorType.APPEND_CONSISTENCY_VIOLATION]: 'bug',
};

/**
 * gRPC's complete list of codes, for errors without a type of the client: a call that failed before it began, and
 * `unknown`.
 */
const BY_CODE: readonly (readonly [number, string, Verdict])[] = [
  [1, 'CANCELLED', 'unavailable'],
  [2, 'UNKNOWN', 'unavailable'],
  [3, 'INVALID_ARGUMENT', 'bug'],
  [4, 'DEADLINE_EXCEEDED', 'unavailable'],
  [5, 'NOT_FOUND', 'bug'],
  [6, 'ALREADY_EXISTS', 'bug'],
  [7, 'PERMISSION_DENIED', 'denied'],
  [8, 'RESOURCE_EXHAUSTED', 'unavailable'],
  [9, 'FAILED_PRECONDITION', 'bug'],
  [10, 'ABORTED', 'unavailable'],
  [11, 'OUT_OF_RANGE', 'bug'],
  [12, 'UNIMPLEMENTED', 'unavailable'],
  [13, 'INTERNAL', 'unavailable'],
  [14, 'UNAVAILABLE', 'unavailable'],
  [15, 'DATA_LOSS', 'unavailable'],
  [16, 'UNAUTHENTICATED', 'denied'],
];

/**
 * The server's texts for an append that it did not handle, which the client passes on in its own words without a code.
 */
const UNRECOGNISED: readonly (readonly [string, Verdict])[] = [
  ['Could not recognize Server Is Not Ready', 'unavailable'],
  ['Could not recognize Server Is Busy', 'unavailable'],
  ['Could not recognize No leader info available in response', 'unavailable'],
  ['Could not recognize Unknown NotHandledReason (7)', 'unavailable'],
  ['Could not recognize Envelope callback expected either WriteEventsCompleted or NotHandled', 'unavailable'],
  ['Could not recognize InvalidTransaction', 'unavailable'],
  ['Could not recognize BadRequest', 'bug'],
  // `Unknown` is all that the server says if it could not write.
  ['', 'unavailable'],
];

const error = (fields: object, message = 'it says so'): Error => Object.assign(new Error(message), fields);

describe("an error of the store's client", () => {
  it.each(Object.entries(BY_TYPE))('of type %s is: %s', (type, verdict) => {
    expect(verdictOn(error({ type }))).toBe(verdict);
  });

  it.each([
    ['@eventstore/db-client', ErrorType],
    ['@kurrent/kurrentdb-client', KurrentErrorType],
  ] as const)('of %s has one of these types', (client, types: Readonly<Record<string, string>>) => {
    const known = Object.values(types).sort();
    expect(Object.keys(BY_TYPE)).toEqual(expect.arrayContaining(known.filter((type) => type !== ErrorType.UNKNOWN)));
    const source = readFileSync(require.resolve(`${client}/dist/utils/CommandError.js`), 'utf8');
    const thrown = [...source.matchAll(/\btype = ErrorType\.(\w+)/g)].map(([, name]) => types[name!]);
    expect(thrown.sort()).toEqual(known);
  });

  it.each(BY_CODE)('with code %i (%s) is: %s, with or without the type for unknown errors', (code, _, verdict) => {
    expect(verdictOn(error({ code }))).toBe(verdict);
    expect(verdictOn(error({ code, type: ErrorType.UNKNOWN }))).toBe(verdict);
  });

  it.each(UNRECOGNISED)("'%s' is: %s", (message, verdict) => {
    expect(verdictOn(error({ type: ErrorType.UNKNOWN, code: undefined }, message))).toBe(verdict);
  });

  it.each([
    ['No leader info available in response', 2, 'unavailable'],
    ['Exception was thrown by handler.', 2, 'unavailable'],
    ['Unexpected ReadAllResult: Error', 2, 'unavailable'],
    ['Unexpected ReadAllResult: InvalidPosition', 2, 'bug'],
    ['Trying to read from an invalid position.', 3, 'bug'],
  ] as const)("'%s' (code %i) is: %s", (message, code, verdict) => {
    expect(verdictOn(error({ type: ErrorType.UNKNOWN, code }, message))).toBe(verdict);
  });

  it('of a cluster that cannot be found is: unavailable, and one of a program is: bug', () => {
    expect(verdictOn(new Error('Failed to discover after 10 attempts.'))).toBe('unavailable');
    expect(verdictOn(new EventStoreUnavailable('it does not answer'))).toBe('unavailable');
    expect(verdictOn(new TypeError('undefined is not iterable'))).toBe('bug');
  });

  it.each(['unavailable', 'denied'] as const)('that is %s is answered with 503 and Retry-After', (verdict) => {
    const types = Object.entries(BY_TYPE).filter(([, one]) => one === verdict);
    for (const [type] of types) {
      expect(isUnavailable(error({ type }))).toBe(true);
      const { problem, headers, unexpected } = problemOf(unreachable(error({ type })));
      expect([problem.status, problem.code, headers, unexpected]).toEqual([
        503,
        'STORE_UNAVAILABLE',
        { 'retry-after': '1' },
        false,
      ]);
    }
    expect(types.length).toBeGreaterThan(0);
  });
});
