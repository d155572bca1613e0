import { uuidv7 } from 'uuidv7';
import { type DispatchFixture, openDispatch } from './dispatch-fixture.js';

export interface IndexFunctions {
  readonly dispatch: DispatchFixture;
  /** A queue of the test's own. */
  readonly queue: string;
  rowsOf<R extends object>(sql: string, values?: unknown[]): Promise<readonly R[]>;
}

/** The database of a spec that calls functions of the dispatch index by themselves. */
export function useIndexFunctions(): IndexFunctions {
  let dispatch: DispatchFixture;
  let queue: string;
  beforeAll(async () => {
    dispatch = await openDispatch();
  });
  afterAll(() => dispatch.close());
  beforeEach(async () => {
    queue = `q-${uuidv7()}`;
    await dispatch.define(queue);
  });
  return {
    get dispatch() {
      return dispatch;
    },
    get queue() {
      return queue;
    },
    rowsOf: async <R extends object>(sql: string, values: unknown[] = []) =>
      (await dispatch.pool.query(sql, values)).rows as R[],
  };
}

/** The records of a type as an argument of a call, each from the columns that the JSON of a parameter gives. */
export const records = (type: string, parameter: number): string =>
  `array(select jsonb_populate_record(null::${type}, r) from jsonb_array_elements($${parameter}::jsonb) as r)`;
