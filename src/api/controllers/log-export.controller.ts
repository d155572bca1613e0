import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { HistoryReader } from '../../application/history/history-reader.js';
import { GetSeal } from '../../projections/seals/get-seal.query.js';
import type { LeafPlace, LogPart as Part, WantedParts } from '../../projections/seals/log-parts.port.js';
import { GetLeafPlace, GetLogParts } from '../../projections/seals/log-parts.queries.js';
import { ExportQuery, LogPart } from '../dto/log.dto.js';
import { StreamEndpoint } from '../http/endpoint.js';
import { InvalidInput } from '../input/invalid-input.js';
import { sinceOf } from '../input/since.js';
import type { Answer } from '../operations/answer.js';
import type { Call } from '../operations/call.js';
import { asProblem } from '../operations/proofs.js';
import { renameIn } from '../operations/queue-ids.js';
import { type EventPage, type EventPages, NDJSON } from '../operations/stream-format.js';
import { ApiError } from '../problems/api-error.js';

/** The sealed log, to take along. The next parts are read once the client has taken the last ones. */
@ApiTags('history')
@ApiExtraModels(LogPart)
@Controller('v1/log/export')
export class LogExportController {
  constructor(
    private readonly queries: QueryBus,
    private readonly history: HistoryReader,
  ) {}

  @Get()
  @StreamEndpoint({
    permission: 'audit',
    summary: 'Take the sealed log along',
    onlyPresent: '`from` and `to` choose its part of the log, and `size` the seal',
    renameQueues: ({ query }: Call<unknown, ExportQuery>, name) => renameIn([query], name),
    description:
      'One JSON document per line: segments as they are stored, and in place of those that were not asked for the hashes of their leaves. Together they ' +
      'make the root in the seal, so `waybill verify` checks them without a service. `waybill log export` writes such a file.',
    query: ExportQuery,
    stream: NDJSON,
    events: LogPart,
    refuses: ['NOT_SEALED'],
  })
  async exportLog({ query, signal }: Call<unknown, ExportQuery>): Promise<Answer<EventPages<Part>>> {
    const { queue = null, after = '0' } = query;
    if (queue !== null) await this.history.assertThere({ queue });
    const wanted = await this.wantedBy(query, queue);
    const place = await this.queries.execute(new GetLeafPlace(BigInt(after), wanted)).catch(asProblem);
    return { body: this.pages(place, wanted, signal), asOf: wanted.sealed.position };
  }

  private async wantedBy({ private: isPrivate = false, size, from, to }: ExportQuery, queue: string | null) {
    const seal = await this.queries.execute(new GetSeal(size ?? null));
    if (!seal) throw size === undefined ? unsealed() : noSuchSeal();
    const start = from === undefined ? { after: 0n } : sinceOf(from);
    const range = await this.history.rangeFrom(start, to === undefined ? null : sinceOf(to));
    return { sealed: { ...seal, position: BigInt(seal.position) }, ...range, queue, isPrivate };
  }

  private async *pages(from: LeafPlace, wanted: WantedParts, signal: AbortSignal): AsyncGenerator<EventPage<Part>> {
    let place = from;
    while (place.index < wanted.sealed.size) {
      signal.throwIfAborted();
      const { parts, reached } = await this.history.inTurn(() => this.queries.execute(new GetLogParts(place, wanted)));
      yield { events: parts, reached: reached.position };
      place = reached;
    }
  }
}

const unsealed = (): ApiError =>
  new ApiError('NOT_SEALED', 'Expected a seal of the log, but nobody has sealed it yet', { 'retry-after': '5' });

const noSuchSeal = (): InvalidInput =>
  new InvalidInput([
    {
      pointer: '#/query/size',
      detail: 'Expected the size of a seal of this log, but there is none: begin the export again with the last seal',
    },
  ]);
