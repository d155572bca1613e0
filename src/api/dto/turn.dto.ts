import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { Closed, Part, Parts } from '../input/fields.js';
import { Position } from './answer.fields.js';
import { ClaimFacts, ClaimResult } from './claim.dto.js';
import { Limits } from './limits.js';
import { Problem } from './problem.dto.js';
import { Settlement, SettleItem } from './settlement.dto.js';
import { RefusedItem } from './submission.dto.js';

@Closed()
export class TurnRequest extends ClaimFacts {
  @Parts(() => SettleItem, { min: 1, max: Limits.batch, description: 'What to settle, of any queue.' })
  items!: SettleItem[];
}

@ApiExtraModels(Settlement, RefusedItem)
export class TurnResult extends ClaimResult {
  @ApiProperty({
    type: 'array',
    items: { anyOf: [{ $ref: getSchemaPath(Settlement) }, { $ref: getSchemaPath(RefusedItem) }] },
    description: 'One result per item, in order.',
  })
  results!: (Settlement | RefusedItem)[];

  @Position({
    nullable: true,
    description: 'The highest position of the results and of the claim; null if there is none.',
  })
  declare position: string | null;

  @Part(() => Problem, {
    optional: true,
    description: 'Why the claim failed, as a claim alone would have been answered. The results stand.',
  })
  problem?: Problem;
}
