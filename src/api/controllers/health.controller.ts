import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { HealthCheckService, HealthIndicatorService, type HealthCheckResult } from '@nestjs/terminus';
import { EventStoreUnavailable } from '../../application/kernel/application-error.js';
import { PayloadStore } from '../../application/kernel/payload-store.port.js';
import { Writes } from '../../application/kernel/writes.port.js';
import { within } from '../../application/kernel/within.js';
import { GetProjectionLag, type ProjectionLag } from '../../projections/lag/lag.queries.js';
import { lastSweepSecondsOf, type Leader, ListLeaders } from '../../projections/system/leaders.queries.js';
import { ApiError } from '../problems/api-error.js';
import { Readiness } from '../dto/health.dto.js';
import { NeedsNoKey, refusals } from '../http/endpoint.js';
import type { WaybillHttpAdapter } from '../http/http-adapter.js';
import { namedRooms } from '../http/rooms.js';

/**
 * A read model must be behind by both of these before the service counts as not ready. Where events cannot be counted,
 * the seconds decide.
 */
const MOST_SECONDS = 300;
const MOST_EVENTS = 100_000;

/**
 * The most seconds since any process swept. A healthy one sweeps at least every five seconds, and another one takes
 * over after seven, so that this passes only if nobody can sweep.
 */
const MOST_SWEEP_SECONDS = 30;

const CHECK_MS = 2_000;

@ApiTags('system')
@Controller('healthz')
export class HealthController {
  /** Nothing was swept while all processes were down: a process that starts then grants the sweepers the same time. */
  private readonly startedAt = performance.now();

  /** Shared by all that ask meanwhile: anybody may ask, and as often as they like. */
  private look: Promise<HealthCheckResult> | null = null;

  constructor(
    private readonly health: HealthCheckService,
    private readonly indicator: HealthIndicatorService,
    private readonly queries: QueryBus,
    private readonly writes: Writes,
    private readonly payloads: PayloadStore,
    private readonly server: HttpAdapterHost<WaybillHttpAdapter>,
  ) {}

  @Get('live')
  @NeedsNoKey
  @ApiOperation({ summary: 'Check that the process answers' })
  @ApiResponse({ status: 200, description: 'The process answers.' })
  isLive() {
    return { status: 'ok' };
  }

  @Get('ready')
  @NeedsNoKey
  @ApiOperation({
    summary: 'Check that the service is ready',
    description:
      'Checks the database, that it takes writes, its schema, the lag of the read models, that some process sweeps, and that the store of payloads outside the log answers. What one process finds, ' +
      'all find, except for the rooms of the process that requests share.',
  })
  @ApiResponse({ status: 200, description: 'The service is ready.', type: Readiness })
  @refusals(['NOT_READY', 'SHUTTING_DOWN'])
  isReady(): Promise<HealthCheckResult> {
    return (this.look ??= this.looked().finally(() => (this.look = null)));
  }

  private async looked(): Promise<HealthCheckResult> {
    // Succeed only on a reachable, migrated database.
    const lags = inTime(this.queries.execute(new GetProjectionLag()));
    const leaders = inTime(this.queries.execute(new ListLeaders()));
    const prevented = inTime(this.writes.prevented().then((reason) => ({ reason })));
    for (const other of [leaders, prevented]) other.catch(() => undefined); // The lags report it.
    try {
      const isStoreAway = await lags.then(
        () => false,
        (error: unknown) => error instanceof EventStoreUnavailable,
      );
      const checks = isStoreAway
        ? [() => this.database(prevented, prevented), () => this.eventStore(lags)]
        : [
            () => this.database(lags, prevented),
            () => this.projections(lags),
            () => this.sweeper(leaders),
            () => this.rooms(),
            () => this.payloadStore(),
          ];
      return await this.health.check(checks);
    } catch (error) {
      throw error instanceof ServiceUnavailableException ? notReady(error.getResponse() as HealthCheckResult) : error;
    }
  }

  private async database(lags: Promise<unknown>, prevented: Promise<{ readonly reason: string | null }>) {
    const check = this.indicator.check('database');
    const { reason } = await lags.then(() => prevented).catch(() => ({ reason: null }));
    return reason === null
      ? check.attempt(async () => void (await Promise.all([lags, prevented])))
      : check.down({ message: reason });
  }

  /** For events in another store. The database has answered before the store is asked. */
  private eventStore(lags: Promise<unknown>) {
    return this.indicator.check('eventStore').attempt(async () => void (await lags));
  }

  private async projections(lags: Promise<readonly ProjectionLag[]>) {
    const check = this.indicator.check('projections');
    const all = await lags.catch(() => []);
    const behind = all.filter(isFarBehind).map(({ name, lagSeconds }) => ({ name, lagSeconds }));
    if (behind.length > 0) return check.down({ behind });
    // A follower stopped at a poison event needs a person. Commands still work, so the service must stay in rotation.
    const stopped = all.filter(({ status }) => status === 'stopped').map(({ name }) => name);
    const seconds = Object.fromEntries(all.map(({ name, lagSeconds }) => [name, lagSeconds]));
    return stopped.length > 0 ? check.degraded({ lagSeconds: seconds, stopped }) : check.up({ lagSeconds: seconds });
  }

  /** Out of rotation, the process would serve those who crowd it no less, and leave them to the next one. */
  private rooms() {
    const check = this.indicator.check('rooms');
    const crowded = namedRooms(this.server.httpAdapter.rooms).flatMap(([name, room]) => (room.isCrowded ? name : []));
    return crowded.length > 0 ? check.degraded({ crowded }) : check.up();
  }

  /** Without it, tasks with small payloads go on, so the service must stay in rotation. */
  private async payloadStore() {
    const check = this.indicator.check('payloads');
    // What a fault says names folders and hosts, and anybody may ask.
    const looked = await within(
      this.payloads.fault().then((fault) => ({ isUp: fault === null })),
      CHECK_MS,
    );
    return looked?.isUp ? check.up() : check.degraded({ message: NO_PAYLOADS });
  }

  private async sweeper(leaders: Promise<readonly Leader[]>) {
    const check = this.indicator.check('sweeper');
    const lastSweepSeconds = lastSweepSecondsOf(await leaders.catch(() => []));
    const up = (performance.now() - this.startedAt) / 1_000;
    const seconds = Math.min(lastSweepSeconds ?? up, up);
    if (seconds <= MOST_SWEEP_SECONDS) return check.up({ lastSweepSeconds });
    return check.down({ lastSweepSeconds, message: noSweep(seconds) });
  }
}

const NO_PAYLOADS =
  'Expected the store of WAYBILL_PAYLOAD_STORE to answer, but it does not: large payloads are refused, and tasks that have one wait.';

/** The reason, for people. Without names of machines, because anybody may ask. */
const noSweep = (seconds: number): string =>
  `Expected a sweep every few seconds, but no process has swept for ${Math.floor(seconds)} s. ` +
  'Start one with the role sweeper, or look whether the one that leads stands still: GET /v1/system names it.';

/**
 * A long lag of few events does not count, because commands and claims still work. Where events cannot be counted,
 * there may be many.
 */
const isFarBehind = ({ status, lagSeconds, lagEvents }: ProjectionLag): boolean =>
  status === 'running' && lagSeconds > MOST_SECONDS && (lagEvents === null || lagEvents > MOST_EVENTS);

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const given = await within(answer, CHECK_MS);
  if (given === null) throw new Error(`Expected an answer within ${CHECK_MS} ms, but there was none`);
  return given;
}

function notReady({ details }: HealthCheckResult): ApiError {
  const down = Object.keys(details).filter((name) => details[name]?.status === 'down');
  const detail = `Expected the service to be ready, but these checks fail: ${down.join(', ')}`;
  return new ApiError('NOT_READY', detail, { 'retry-after': '1' }, { checks: details });
}
