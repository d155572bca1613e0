import { Controller, Get } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiTags } from '@nestjs/swagger';
import { KeyUses } from '../../application/kernel/key-uses.port.js';
import type { ApiKey } from '../access/api-keys.js';
import { keyId } from '../access/used-keys.js';
import { ApiKeyList, type ApiKeyView } from '../dto/api-key.dto.js';
import { QueryEndpoint } from '../http/endpoint.js';
import type { WaybillHttpAdapter } from '../http/http-adapter.js';
import type { Answer } from '../operations/answer.js';

@ApiTags('system')
@Controller('v1/api-keys')
export class ApiKeysController {
  constructor(
    private readonly server: HttpAdapterHost<WaybillHttpAdapter>,
    private readonly uses: KeyUses,
  ) {}

  @Get()
  @QueryEndpoint({
    permission: 'operate',
    summary: 'List the API keys and when each was used last',
    onlyPresent: 'keys are configured, and no event records them',
    description: 'As this process knows them. The keys themselves are not stored.',
    answers: ApiKeyList,
  })
  async listApiKeys(): Promise<Answer<ApiKeyList>> {
    // Callers in process need no key.
    const keys = this.server.httpAdapter?.apiKeys ?? [];
    const uses = await this.uses.read(keys.map(keyId));
    return { body: { items: keys.map((key) => viewOf(key, uses.get(keyId(key)) ?? null)) } };
  }
}

const viewOf = (key: ApiKey, lastUsedAt: string | null): ApiKeyView => ({
  id: keyId(key),
  name: key.name,
  may: [...key.may],
  expiresAt: key.expiresAt ?? null,
  quota: key.quota ?? null,
  lastUsedAt,
});
