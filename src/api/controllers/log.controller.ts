import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { GetLog } from '../../projections/seals/get-log.query.js';
import { ListSeals } from '../../projections/seals/list-seals.query.js';
import { LogView, SealPage, SealQuery } from '../dto/log.dto.js';
import { QueryEndpoint } from '../http/endpoint.js';
import type { Call } from '../operations/call.js';
import { asInvalidInput, PAGE } from '../operations/pages.js';

/** How far the log is sealed, and by which seals. */
@ApiTags('history')
@Controller('v1/log')
export class LogController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @QueryEndpoint({
    summary: 'Show how far the log is sealed',
    onlyPresent: '`GET /v1/log/seals` has the seals of before',
    answers: LogView,
  })
  async getLog() {
    return { body: await this.queries.execute(new GetLog()) };
  }

  @Get('seals')
  @QueryEndpoint({
    summary: 'List the seals of the log',
    onlyPresent: 'each seal says when it was made',
    description: 'The newest first.',
    query: SealQuery,
    answers: SealPage,
  })
  async listSeals({ query }: Call<unknown, SealQuery>) {
    const { cursor = null, limit = PAGE } = query;
    return { body: await this.queries.execute(new ListSeals(cursor, limit)).catch(asInvalidInput) };
  }
}
