import type { components } from '../../packages/contracts/src/generated.js';
import type * as Batches from '../../src/api/dto/batch.dto.js';
import type * as Bulk from '../../src/api/dto/bulk-operation.dto.js';
import type * as Claims from '../../src/api/dto/claim.dto.js';
import type * as Events from '../../src/api/dto/event.dto.js';
import type * as Explanations from '../../src/api/dto/explanation.dto.js';
import type * as Holds from '../../src/api/dto/hold.dto.js';
import type * as Policies from '../../src/api/dto/policy.dto.js';
import type * as Queues from '../../src/api/dto/queue.dto.js';
import type * as Resources from '../../src/api/dto/resource.dto.js';
import type * as Settlements from '../../src/api/dto/settlement.dto.js';
import type * as Submissions from '../../src/api/dto/submission.dto.js';
import type * as Systems from '../../src/api/dto/system.dto.js';
import type * as Tasks from '../../src/api/dto/task.dto.js';
import type * as Triggers from '../../src/api/dto/trigger.dto.js';
import type * as Views from '../../src/api/dto/view.dto.js';
import type { Differences } from '../../src/api/http/agreement.js';
import { QueryEndpoint } from '../../src/api/http/endpoint.js';
import type { Answer } from '../../src/api/operations/answer.js';

type Schemas = components['schemas'];

/** The members of classes whose TypeScript type is not what their decorators show. */
type Drift<Classes> = {
  [Name in keyof Classes & keyof Schemas]: Classes[Name] extends new () => infer Instance
    ? [Differences<Instance, Schemas[Name]>] extends [never]
      ? never
      : `${Name & string}.${Differences<Instance, Schemas[Name]>}`
    : never;
}[keyof Classes & keyof Schemas];

/** Where the document promises less than the program knows. */
type Loose =
  | '.vocabulary'
  | '.items.policy'
  | 'EventPattern.types'
  | '.event'
  // Counts by names, of which any might be absent.
  | '.counts'
  | '.failed'
  | 'ByClass'
  | '.history'
  | '.total'
  | '.buckets'
  // The facts of a refused claim, which its detail tells.
  | 'ClaimRefusal.'
  | '.refusal.';

/** Compiles only if there is no other drift. */
type None<Found extends `${string}${Loose}${string}`> = Found;

export type Classes = [
  None<Drift<typeof Batches>>,
  None<Drift<typeof Bulk>>,
  None<Drift<typeof Claims>>,
  None<Drift<typeof Events>>,
  None<Drift<typeof Explanations>>,
  None<Drift<typeof Holds>>,
  None<Drift<typeof Policies>>,
  None<Drift<typeof Queues>>,
  None<Drift<typeof Resources>>,
  None<Drift<typeof Settlements>>,
  None<Drift<typeof Submissions>>,
  None<Drift<typeof Systems>>,
  None<Drift<typeof Tasks>>,
  None<Drift<typeof Triggers>>,
  None<Drift<typeof Views>>,
];

class Item {
  id!: string;
  endedAt!: string | null;
  step?: string;
}

class Page {
  items!: Item[];
}

const endpoint = QueryEndpoint({ summary: 'Compiles only if the answer has the members of its class', answers: Page });
const answer = <T>(...items: T[]): Promise<Answer<{ readonly items: readonly T[] }>> =>
  Promise.resolve({ body: { items } });

type Alike = { readonly id: string; readonly endedAt: string | null; readonly step?: string };

export class Operations {
  @endpoint
  alike() {
    return answer({ id: 'a', endedAt: null } as Alike);
  }

  // @ts-expect-error a member that the class lacks
  @endpoint
  more() {
    return answer({ id: 'a', endedAt: null } as Alike & { readonly more: 1 });
  }

  // @ts-expect-error a member that the answer lacks
  @endpoint
  less() {
    return answer({ id: 'a', endedAt: null } as Omit<Alike, 'step'>);
  }

  // @ts-expect-error a member that is never null
  @endpoint
  never() {
    return answer({ id: 'a', endedAt: '' } as Alike & { readonly endedAt: string });
  }

  // @ts-expect-error a member that is never absent
  @endpoint
  always() {
    return answer({ id: 'a', endedAt: null, step: 'b' } as Alike & { readonly step: string });
  }

  // @ts-expect-error a member of another type
  @endpoint
  other() {
    return answer({ id: 1, endedAt: null } as Omit<Alike, 'id'> & { readonly id: number });
  }

  // @ts-expect-error an answer without a type
  @endpoint
  untyped() {
    return answer({ id: 'a', endedAt: null } as Alike) as Promise<Answer<unknown>>;
  }
}
