import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ProjectionList, WorkerList } from '../dto/operation.dto.js';
import { PageQuery } from '../dto/query.dto.js';
import { QueueStatsList } from '../dto/queue.dto.js';
import { QueryEndpoint } from '../http/endpoint.js';
import { SystemOperations } from '../operations/system.operations.js';

@ApiTags('system')
@Controller('v1')
export class SystemController {
  constructor(private readonly system: SystemOperations) {}

  @Get('queue-stats')
  @QueryEndpoint({ summary: "Count every queue's tasks and times", description: 'By name.', answers: QueueStatsList })
  listQueueStats(@Query() query: PageQuery) {
    return this.system.listQueueStats(query);
  }

  @Get('workers')
  @QueryEndpoint({ summary: 'List the workers', description: 'By name.', answers: WorkerList })
  listWorkers(@Query() query: PageQuery) {
    return this.system.listWorkers(query);
  }

  @Get('projections')
  @QueryEndpoint({ summary: 'Show how far the read models are', answers: ProjectionList })
  listProjections() {
    return this.system.listProjections();
  }
}
