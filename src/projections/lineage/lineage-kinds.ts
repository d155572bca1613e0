/** How one thing led to another. Their places are stored as numbers: add new ones at the end. */
export const LINEAGE_KINDS = [
  'context',
  'trigger',
  'plan',
  'rerun',
  'operation',
  'item',
  'cascade',
  'supersession',
  'delivery',
] as const;

export type LineageKind = (typeof LINEAGE_KINDS)[number];
