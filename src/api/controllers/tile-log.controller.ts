import { Controller, Get, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseTilePath } from '../../domain/merkle/tile-paths.js';
import { GetCheckpoint, GetTile } from '../../projections/seals/tile-log.queries.js';
import { assertMayAll } from '../access/permissions.js';
import { NeedsPermission } from '../http/endpoint.js';
import { ApiError } from '../problems/api-error.js';

/** For a browser's or a program's own cache: an API key may be needed. */
const FOR_EVER = 'private, max-age=31536000, immutable';

/** The tree of the log for programs that know c2sp.org/tlog-tiles. That page describes it, so the API's document does not. */
@ApiExcludeController()
@Controller('v1/log/tlog')
export class TileLogController {
  constructor(private readonly queries: QueryBus) {}

  @Get('checkpoint')
  @NeedsPermission('read')
  async readCheckpoint(@Req() { principal }: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    assertMayAll(principal, 'read');
    const note = await this.queries.execute(new GetCheckpoint());
    if (note === null) throw notThere('a seal of the log', 'nobody has sealed it yet');
    reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache');
    return note;
  }

  @Get('tile/*')
  @NeedsPermission('read')
  async readTile(
    @Req() { principal, params }: FastifyRequest<{ Params: { '*': string } }>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    assertMayAll(principal, 'read');
    const path = `tile/${params['*']}`;
    const place = parseTilePath(path);
    const bytes = place && (await this.queries.execute(new GetTile(place)));
    if (!bytes) throw notThere('a tile that the last seal covers', `there is no '${path}'`);
    reply.type('application/octet-stream').header('cache-control', FOR_EVER);
    return Buffer.from(bytes);
  }
}

const notThere = (expected: string, got: string): ApiError =>
  new ApiError('ROUTE_NOT_FOUND', `Expected ${expected}, but ${got}`);
