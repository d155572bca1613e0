import { Limits } from './limits.js';

/** A search in the query of batches. */
export const SEARCHED_BATCHES = {
  max: Limits.search,
  optional: true,
  example: 'name:night* label.run:7 since:2d',
  description:
    'What must match besides the other fields, term by term: `id:` (whole, or its last 8 characters), `name:` (or a beginning such as `night*`), `label.NAME:`, `state:`, `actor:` (who created it), `since:` and `until:` (created), `ended>` and `ended<`, and words of the name or the description. Commas separate alternatives.',
} as const;

/** A search in queries and in bodies. */
export const SEARCHED = {
  max: Limits.search,
  optional: true,
  example: 'state:failed error:"timed out" since:2h',
  description:
    'What must match besides the other fields, term by term: `id:` (whole, or its last 8 characters), `queue:`, `state:`, `kind:`, `key:`, `reference:`, `batch:`, `worker:`, `step:`, `label.NAME:`, `payload.PATH:` (in queues that are searched by it), `error:` (its class, or text of it), ' +
    '`actor:`, `build:`, `since:` and `until:` (enqueued), `ended>` and `ended<`, and words of the reference, the key, the description or the error. Commas separate alternatives, and `key:`, `reference:`, `kind:` and `worker:` take beginnings such as `inv-*`. ' +
    'A search for which no index has few tasks is refused.',
} as const;
