import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { SuggestTerms } from '../../projections/tasks/tasks.queries.js';
import { SuggestionList, SuggestionQuery } from '../dto/suggestion.dto.js';
import { QueryEndpoint } from '../http/endpoint.js';
import type { Call } from '../operations/call.js';
import { Reads } from '../operations/reads.js';
import { Scopes } from '../operations/scopes.js';

/** Helps people to write a search. */
@ApiTags('tasks')
@Controller('v1/tasks/suggestions')
export class SuggestionsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly reads: Reads,
    private readonly scopes: Scopes,
  ) {}

  @Get()
  @QueryEndpoint({
    summary: 'Suggest how a search of tasks goes on',
    onlyPresent: 'it helps to write a search, and suggests what there is now',
    // It suggests nothing of other queues than those of the API key, whatever the search names.
    queues: () => [],
    description:
      'What can stand at the end of the search: fields, queues, states, kinds, labels, workers, steps, builds, groups of failures and paths of payloads, as far as they are in policies or in the 2,000 latest tasks. Of the queues that the search names before, or else of all that the API key is for.',
    query: SuggestionQuery,
    answers: SuggestionList,
  })
  suggestTerms(call: Call<unknown, SuggestionQuery>) {
    const { q = '', minPosition } = call.query;
    return this.reads.from('tasks', minPosition, async () =>
      this.queries.execute(new SuggestTerms(q, await this.scopes.coveredBy(call))),
    );
  }
}
