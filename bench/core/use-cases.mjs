import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { uuidv7 } from 'uuidv7';
import { ClaimTasks } from '../../dist/application/claims/claim-tasks.handler.js';
import { SettleTasks } from '../../dist/application/claims/settle-tasks.handler.js';
import { DefineQueue } from '../../dist/application/queues/define-queue.handler.js';
import { EnqueueTasks } from '../../dist/application/tasks/enqueue-tasks.handler.js';
import { CoreModule } from '../../dist/bootstrap/core.module.js';
import { BUILD } from '../../dist/bootstrap/functions.js';
import { DatabaseClock } from '../../dist/infrastructure/database/database-clock.js';
import { migrate } from '../../dist/infrastructure/database/migrate.js';
import { PostgresPool } from '../../dist/infrastructure/database/postgres-pool.js';

const context = { actor: 'bench', correlationId: 'bench' };
const signal = new AbortController().signal;
const claimant = { worker: 'w', server: 's', waitMs: 1_000, leaseMs: null };
const verdict = { type: 'succeed' };

/** The use cases on a database, without API, reactions and read models. */
export class UseCases {
  #application;
  #commands;

  static async open(url, { poolSize = 10 } = {}) {
    await migrate(url, BUILD);
    const core = await CoreModule.for({
      databaseUrl: url,
      poolSize,
      reads: { poolSize: 4, statementMs: 10_000 },
      roles: [],
    });
    const application = await NestFactory.createApplicationContext(core, { logger: ['error'] });
    await application.get(DatabaseClock).start();
    return new UseCases(application);
  }

  constructor(application) {
    this.#application = application;
    this.#commands = application.get(CommandBus);
  }

  defineQueue(queue) {
    return this.#commands.execute(new DefineQueue(queue, '', {}, context));
  }

  async enqueue(items) {
    const outcomes = await this.#commands.execute(new EnqueueTasks(items, context));
    const refused = outcomes.find(({ kind }) => kind !== 'done');
    if (refused) throw new Error(`Expected to enqueue a task, but: ${JSON.stringify(refused)}`);
  }

  /** Returns how many tasks it claimed and settled. */
  async claimAndSettle(queue, max) {
    const claim = new ClaimTasks({ queue, ...claimant, max, claimId: uuidv7(), signal, context });
    const { tasks } = await this.#commands.execute(claim);
    const items = tasks.map(({ taskId, token }) => ({ taskId, token, verdict }));
    const outcomes = await this.#commands.execute(new SettleTasks(items, context));
    return outcomes.filter(({ kind }) => kind === 'done').length;
  }

  /** The number of statements that `work` sends. */
  async statementsOf(work) {
    let count = 0;
    const stop = this.#application.get(PostgresPool).onStatement(() => count++);
    await work();
    stop();
    return count;
  }

  close() {
    return this.#application.close();
  }
}
