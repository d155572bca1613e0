import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { promises, writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type pg from 'pg';
import { CopyFailedTasksHandler } from '../../src/application/batches/copy-failed-tasks.handler.js';
import { ReturnFailureGroupHandler } from '../../src/application/failure-groups/return-failure-group.handler.js';
import { OperateBatchHandler } from '../../src/application/batches/operate-batch.handler.js';
import { ClaimTasksHandler } from '../../src/application/claims/claim-tasks.handler.js';
import { SettleTasksHandler } from '../../src/application/claims/settle-tasks.handler.js';
import { KeepTimeLimitsHandler } from '../../src/application/tasks/keep-time-limits.handler.js';
import { EnqueueTasksHandler } from '../../src/application/tasks/enqueue-tasks.handler.js';
import { StreamCommands } from '../../src/application/kernel/stream-commands.js';
import { AGGREGATES } from '../../src/domain/aggregates.js';
import { EventStoreDbLog } from '../../src/infrastructure/eventstoredb/log/eventstoredb-log.js';
import { RESERVATION_MS } from '../../src/infrastructure/eventstoredb/reservations/reservations.js';
import { LineageConsumer } from '../../src/infrastructure/lineage/lineage-consumer.js';
import { LineageModel } from '../../src/infrastructure/lineage/lineage-model.js';
import { LogTree } from '../../src/infrastructure/notary/log-tree.js';
import { NotaryFolder } from '../../src/infrastructure/notary/notary-folder.js';
import { FolderPayloads } from '../../src/infrastructure/payloads/folder-payloads.js';
import { PostgresErasures } from '../../src/infrastructure/ports/postgres-erasures.js';
import { runService } from '../../src/bootstrap/service.js';
import { Deliveries } from '../../src/steward/deliveries/delivery-run.js';
import { type CrashPoint, lastWords, parseCrash } from './crash-points.js';
import { beginInThePast } from './occurrences-at-once.js';
import {
  countsFailures,
  hookStatements,
  isAppend,
  isBulkCheckpoint,
  isCascade,
  isCheckpoint,
  isChunk,
  isCommitOfClaim,
  isConfirmation,
  isDrain,
  isReservation,
  movesReturns,
} from './statements.js';

// The unchanged service, except that it kills or freezes itself at one point, set from outside:
// `CRASH_AT=after-append:40:SIGKILL`. Monthly triggers begin in the past.

const crash = process.env.CRASH_AT ? parseCrash(process.env.CRASH_AT) : null;
let passages = 0;

/** Stops the process at the passage: no signal handler, timer or write runs before it is continued, if it ever is. */
function pass(point: CrashPoint): void {
  if (crash?.point !== point || ++passages !== crash.passage) return;
  writeSync(1, `${lastWords(crash)}\n`);
  const { signal = 'SIGKILL' } = crash;
  process.kill(process.pid, signal);
  while (signal === 'SIGKILL');
}

/**
 * Gives up the reservations of a dead process sooner than in production. This may cost appends, but must cost nothing
 * else.
 */
const GIVEN_UP_MS = 3_000;

function hasten({ values }: { values?: unknown[] }): void {
  const at = values?.indexOf(RESERVATION_MS) ?? -1;
  if (at >= 0) values![at] = GIVEN_UP_MS;
}

/** Of the follower that counts failures in groups, and of the reaction that opens these again. */
function passFailures(when: 'before' | 'after', queries: readonly (pg.QueryConfig | string)[]): void {
  if (queries.some(countsFailures)) pass(`${when}-groups`);
  if (queries.some(movesReturns)) pass(`${when}-returned`);
}

beginInThePast();

hookStatements({
  async alone(query, send) {
    if (isReservation(query)) hasten(query as pg.QueryConfig);
    const name = isAppend(query) ? 'append' : isCheckpoint(query) ? 'checkpoint' : null;
    if (name) pass(`before-${name}`);
    passFailures('before', [query]);
    if (isConfirmation(query)) pass('before-confirm');
    if (isChunk(query)) pass('before-chunk');
    const result = await send();
    if (isChunk(query)) pass('after-chunk');
    if (isCascade(query) && result.rows.length > 0) pass('within-cascade');
    if (isBulkCheckpoint(query)) pass('within-operation');
    if (isDrain(query) && result.rows.length > 0) pass('within-drain');
    if (name) pass(`after-${name}`);
    passFailures('after', [query]);
    if (isReservation(query)) pass('after-reserve');
    return result;
  },
  async within(query, send) {
    if (isReservation(query)) hasten(query as pg.QueryConfig);
    if (isAppend(query)) pass('before-append');
    const result = await send();
    if (isCommitOfClaim(query)) pass('after-claim');
    return result;
  },
  async commit(queries, send) {
    const appends = queries.some(isAppend);
    const moves = queries.some(isCheckpoint);
    if (moves) pass('before-checkpoint');
    passFailures('before', queries);
    const result = await send();
    if (queries.some(isReservation)) pass('after-reserve');
    if (appends) pass('after-append');
    if (moves) pass('after-checkpoint');
    passFailures('after', queries);
    return result;
  },
});

const { append } = EventStoreDbLog.prototype;
EventStoreDbLog.prototype.append = async function (this: EventStoreDbLog, items, stamp) {
  pass('before-append');
  const results = await append.call(this, items, stamp);
  pass('after-append');
  return results;
};

const { appendAtOnce } = EventStoreDbLog.prototype;
EventStoreDbLog.prototype.appendAtOnce = async function (this: EventStoreDbLog, ...given) {
  pass('before-append');
  const result = await appendAtOnce.apply(this, given);
  pass('after-append');
  return result;
};

// A payload outside the log: before the event that names it, and before the half that does is erased.
const { put, delete: remove } = FolderPayloads.prototype;
FolderPayloads.prototype.put = async function (this: FolderPayloads, ...given) {
  pass('before-payload');
  await put.apply(this, given);
  pass('after-payload');
};

FolderPayloads.prototype.delete = async function (this: FolderPayloads, ...given) {
  pass('before-deletion');
  await remove.apply(this, given);
  pass('after-deletion');
};

const { erase } = PostgresErasures.prototype;
PostgresErasures.prototype.erase = async function (this: PostgresErasures, ...given) {
  pass('before-halves');
  await erase.apply(this, given);
  pass('after-halves');
};

// The parts of a seal.
const { grow, keep: keepSeal } = LogTree.prototype;
LogTree.prototype.grow = async function (this: LogTree, ...given) {
  pass('before-tree');
  await grow.apply(this, given);
  pass('after-tree');
};

LogTree.prototype.keep = async function (this: LogTree, ...given) {
  pass('before-seal');
  await keepSeal.apply(this, given);
  pass('after-seal');
};

const { remember, publish } = NotaryFolder.prototype;
NotaryFolder.prototype.remember = async function (this: NotaryFolder, ...given) {
  pass('before-record');
  const remembered = await remember.apply(this, given);
  pass('after-record');
  return remembered;
};

NotaryFolder.prototype.publish = async function (this: NotaryFolder, ...given) {
  await publish.apply(this, given);
  pass('after-seal-file');
};

// The record is there, and those before it are, too.
const { link } = promises;
promises.link = async (...given) => {
  await link(...given);
  if (String(given[1]).includes('signed.')) pass('within-record');
};
syncBuiltinESMExports();

// The parts of the firing of a queue trigger.
const { execute: claim } = ClaimTasksHandler.prototype;
ClaimTasksHandler.prototype.execute = async function (this: ClaimTasksHandler, command) {
  const isForJob = command.request.job !== undefined;
  if (isForJob) pass('before-items');
  const answer = await claim.call(this, command);
  if (isForJob && answer.tasks.length > 0) pass('after-items');
  return answer;
};

const { execute: enqueue } = EnqueueTasksHandler.prototype;
EnqueueTasksHandler.prototype.execute = async function (this: EnqueueTasksHandler, command) {
  const outcomes = await enqueue.call(this, command);
  pass('after-enqueue');
  if (command.items.some(({ items }) => items !== undefined)) pass('after-job');
  return outcomes;
};

const { runOn } = StreamCommands.prototype;
StreamCommands.prototype.runOn = async function (this: StreamCommands, ...given: Parameters<typeof runOn>) {
  const receipt = await runOn.apply(this, given);
  if (given[0].streamOf === AGGREGATES.trigger.streamOf) pass('after-firing');
  return receipt;
} as typeof runOn;

// The parts of a plan that runs a batch again.
const { execute: copy } = CopyFailedTasksHandler.prototype;
CopyFailedTasksHandler.prototype.execute = async function (this: CopyFailedTasksHandler, command) {
  pass('before-copies');
  const next = await copy.call(this, command);
  pass('after-copies');
  return next;
};

const { execute: operate } = OperateBatchHandler.prototype;
OperateBatchHandler.prototype.execute = async function (this: OperateBatchHandler, command) {
  const receipt = await operate.call(this, command);
  if (command.operation.type === 'OpenBatch') pass('after-opening');
  return receipt;
};

// The return of failures whose group was resolved.
const { execute: comeBack } = ReturnFailureGroupHandler.prototype;
ReturnFailureGroupHandler.prototype.execute = async function (this: ReturnFailureGroupHandler, command) {
  pass('before-return');
  const receipt = await comeBack.call(this, command);
  pass('after-return');
  return receipt;
};

// The parts of a delivery, and its record.
const { deliver } = Deliveries.prototype;
Deliveries.prototype.deliver = async function (this: Deliveries, run) {
  pass('before-delivery');
  const sent = await deliver.call(this, run);
  pass('after-delivery');
  return sent;
};

const { execute: settle } = SettleTasksHandler.prototype;
SettleTasksHandler.prototype.execute = async function (this: SettleTasksHandler, command) {
  const outcomes = await settle.call(this, command);
  pass('after-settle');
  return outcomes;
};

// What follows the times that limit tasks.
const { execute: keep } = KeepTimeLimitsHandler.prototype;
KeepTimeLimitsHandler.prototype.execute = async function (this: KeepTimeLimitsHandler, command) {
  pass('before-limits');
  const kept = await keep.call(this, command);
  pass('after-limits');
  return kept;
};

// A round of the lineage's follower: it has found what was named, but not written it.
const { consume } = LineageConsumer.prototype;
LineageConsumer.prototype.consume = async function (this: LineageConsumer, ...given) {
  pass('before-lineage');
  const reached = await consume.apply(this, given);
  pass('after-lineage');
  return reached;
};

const { statements } = LineageModel.prototype;
LineageModel.prototype.statements = async function (this: LineageModel, ...given) {
  const found = await statements.apply(this, given);
  if (found.length > 0) pass('within-lineage');
  return found;
};

const isCommand = ({ method, url }: FastifyRequest): boolean => method === 'POST' && url.startsWith('/v1/');

const create = NestFactory.create.bind(NestFactory) as (...args: unknown[]) => Promise<NestFastifyApplication>;
NestFactory.create = (async (...args: unknown[]) => {
  const app = await create(...args);
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onSend', async (request: FastifyRequest) => {
    if (isCommand(request)) pass('before-answer');
  });
  server.addHook('onResponse', async (request: FastifyRequest) => {
    if (isCommand(request)) pass('after-answer');
  });
  return app;
}) as typeof NestFactory.create;

await runService(process.env);
