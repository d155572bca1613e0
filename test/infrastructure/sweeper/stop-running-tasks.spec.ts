import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RUNNING } from '../../../src/infrastructure/sweeper/chores/stop-running-tasks.js';
import { type DispatchFixture, openDispatch } from '../../support/dispatch-fixture.js';
import { planAsInProduction } from '../../support/test-database.js';

planAsInProduction();

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

describe('the look for tasks that a drain stops', () => {
  let dispatch: DispatchFixture;

  beforeAll(async () => {
    dispatch = await openDispatch();
    await dispatch.define('mail');
    for (let n = 0; n < 5; n++) {
      await dispatch.enqueue('mail', [{}]);
      await dispatch.claim('mail');
    }
    await dispatch.pool.query('analyze');
  });
  afterAll(() => dispatch.close());

  it('reads no lease while the system runs, and all of them while it drains with cancel', async () => {
    expect(await readsOfLeases()).toBe(0);
    await dispatch.pool.query(`insert into system (name, revision, position, draining, intake, running, begun_by)
      values ('drain', 0, 1, true, 'closed', 'cancel', 'ann')`);
    expect(await readsOfLeases()).toBe(1);
    const { rows } = await dispatch.pool.query({ ...RUNNING, values: [10] });
    expect(rows).toHaveLength(5);
  });

  async function readsOfLeases(): Promise<number> {
    const text = `explain (analyze, format json) ${RUNNING.text.replace('$1', '10')}`;
    const { rows } = await dispatch.pool.query<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(text);
    const found = nodesOf(rows[0]!['QUERY PLAN'][0].Plan).find((node) => node['Relation Name'] === 'leases');
    return found!['Actual Loops'];
  }
});

const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
