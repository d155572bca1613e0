import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type ApiKey, PERMISSIONS } from '../access/api-keys.js';
import { queuesOf } from '../access/grants.js';
import { keyId } from '../access/used-keys.js';
import { MeView, type OwnKeyView } from '../dto/me.dto.js';
import { QueryEndpoint } from '../http/endpoint.js';
import type { Answer } from '../operations/answer.js';
import { type Call, contextOf } from '../operations/call.js';
import { QueueIds } from '../operations/queue-ids.js';

/** What the service knows of its caller, so that a page offers nothing that would be refused. */
@ApiTags('system')
@Controller('v1/me')
export class MeController {
  constructor(private readonly queueIds: QueueIds) {}

  @Get()
  @QueryEndpoint({
    permission: PERMISSIONS,
    summary: 'Tell who the caller is, and what it may do',
    onlyPresent: 'it is about the request itself',
    queues: () => [],
    description: 'The API key itself is not told. Without API keys, everybody may do everything.',
    answers: MeView,
  })
  async whoAmI(call: Call): Promise<Answer<MeView>> {
    const { principal, person } = call.caller;
    const may = principal?.may ?? PERMISSIONS;
    return {
      body: {
        actor: contextOf(call).actor,
        person,
        key: principal && keyOf(principal),
        may: [...may],
        queues: await this.readableBy(may),
      },
    };
  }

  private async readableBy(may: ApiKey['may']): Promise<string[] | null> {
    const queues = queuesOf(may, ['read']);
    return queues === 'all' ? null : [...(await this.queueIds.namesIn(queues))].sort();
  }
}

const keyOf = (key: ApiKey): OwnKeyView => ({
  id: keyId(key),
  name: key.name,
  expiresAt: key.expiresAt ?? null,
  quota: key.quota ?? null,
});
