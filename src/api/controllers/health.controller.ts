import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { HealthCheckService, HealthIndicatorService, type HealthCheckResult } from '@nestjs/terminus';
import { EventStoreUnavailable } from '../../application/kernel/application-error.js';
import { within } from '../../application/kernel/within.js';
import { GetProjectionLag, type ProjectionLag } from '../../projections/lag/lag.queries.js';
import { ApiError } from '../problems/api-error.js';
import { Readiness } from '../dto/health.dto.js';
import { NeedsNoKey, refusals } from '../http/endpoint.js';

/** A read model may be behind by this before balancers look elsewhere; by so many events, too, where they can be counted. */
const MOST_SECONDS = 300;
const MOST_EVENTS = 100_000;

const CHECK_MS = 2_000;

@ApiTags('system')
@Controller('healthz')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicator: HealthIndicatorService,
    private readonly queries: QueryBus,
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
    description: 'Checks the database, its schema, and the lag of the read models.',
  })
  @ApiResponse({ status: 200, description: 'The service is ready.', type: Readiness })
  @refusals(['NOT_READY', 'SHUTTING_DOWN'])
  async isReady(): Promise<HealthCheckResult> {
    // Read once for all: answered only by a database that is there and was migrated.
    const lags = inTime(this.queries.execute(new GetProjectionLag()));
    try {
      const isStoreAway = await lags.then(
        () => false,
        (error: unknown) => error instanceof EventStoreUnavailable,
      );
      const checks = isStoreAway
        ? [() => this.indicator.check('database').up(), () => this.eventStore(lags)]
        : [() => this.database(lags), () => this.projections(lags)];
      return await this.health.check(checks);
    } catch (error) {
      throw error instanceof ServiceUnavailableException ? notReady(error.getResponse() as HealthCheckResult) : error;
    }
  }

  private database(lags: Promise<unknown>) {
    return this.indicator.check('database').attempt(async () => void (await lags));
  }

  /** Where the events are elsewhere: the database answered before it was asked. */
  private eventStore(lags: Promise<unknown>) {
    return this.indicator.check('eventStore').attempt(async () => void (await lags));
  }

  private async projections(lags: Promise<readonly ProjectionLag[]>) {
    const check = this.indicator.check('projections');
    const all = await lags.catch(() => []);
    const behind = all.filter(isFarBehind).map(({ name, lagSeconds }) => ({ name, lagSeconds }));
    if (behind.length > 0) return check.down({ behind });
    // One that stopped at an event it cannot read is for people: the write side works, and must not be taken out of service.
    const stopped = all.filter(({ status }) => status === 'stopped').map(({ name }) => name);
    const seconds = Object.fromEntries(all.map(({ name, lagSeconds }) => [name, lagSeconds]));
    return stopped.length > 0 ? check.degraded({ lagSeconds: seconds, stopped }) : check.up({ lagSeconds: seconds });
  }
}

/** A long wait for a few events is no reason: whoever writes and claims can do so. Where they cannot be counted it may be many. */
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
