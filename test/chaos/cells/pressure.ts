import { lasting } from '../../support/lasting.js';
import type { Cell } from './cell.js';
import type { Scene } from './scene.js';

/** Runs statements in one transaction of another program, which is then given up. */
const besides = ({ postgres, run }: Scene, ...statements: readonly string[]): Promise<unknown> =>
  postgres.query(`begin isolation level repeatable read; ${statements.join('; ')}; rollback`, [], run.databaseUrl);

/** A transaction that has written and then does nothing: nothing can be vacuumed, and its number stays open. */
export const idleInTransaction: Cell = {
  fault: (scene) =>
    besides(scene, 'create temporary table held (n int)', 'insert into held values (1)', IDLE).then(ignore),
};

const IDLE = 'select pg_sleep(3)';
const ignore = (): void => undefined;

export const highLoad: Cell = {
  load: { producers: 8, batch: 25, pauseMs: 5 },
  fault: async () => {
    await lasting(500);
  },
};

/** Many tasks at once, then a pause. */
export const burst: Cell = {
  load: { producers: 1 },
  fault: async (scene) => {
    await Promise.all(Array.from({ length: 4 }, () => scene.enqueue(150)));
    await lasting(1_000);
  },
};

/** Reports that read everything again and again, each in one snapshot. */
export const activeReaders: Cell = {
  fault: async (scene) => {
    const report = ['select count(*) from tasks t join segments s on s.position = t.seq', 'select pg_sleep(0.5)'];
    await Promise.all(Array.from({ length: 4 }, () => besides(scene, ...report, ...report)));
  },
};
