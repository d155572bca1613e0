import { Controller, Get, HttpCode, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Registry } from 'prom-client';
import { ALWAYS, NeedsPermission, refusals } from '../http/endpoint.js';
import { Metrics } from '../metrics/metrics.js';

@ApiTags('system')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @NeedsPermission('metrics')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Read the metrics',
    description:
      'In the text format of Prometheus: queues, read models, and the requests and resources of this process.',
  })
  @ApiResponse({
    status: 200,
    description: 'The metrics.',
    content: { 'text/plain': { schema: { type: 'string' } } },
  })
  @refusals(ALWAYS)
  readMetrics(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    reply.type(Registry.PROMETHEUS_CONTENT_TYPE);
    return this.metrics.read();
  }
}
