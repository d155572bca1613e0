import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { STEP_BYTES } from '../../domain/kernel/byte-budget.js';

/** The rows of a page, with one more than fits it if the list goes on. */
export interface CutRows<T> {
  readonly rows: readonly T[];
  /** The page ends with these rows, because they have enough bytes. The list may go on. */
  readonly isCut?: boolean;
}

/** The name of the column with the bytes of the rows up to and including each. */
const BYTES = 'page_bytes';

/**
 * Restricts the rows to those that `chosen` selects in its order, and ends them with the first one with which they have
 * `STEP_BYTES`, so that a page of large rows does not come into memory whole.
 */
export function cutRows<E extends ObjectLiteral>(
  rows: SelectQueryBuilder<E>,
  chosen: SelectQueryBuilder<E>,
  key: string & keyof E,
): SelectQueryBuilder<E> {
  const [alias, other] = [rows.alias, chosen.alias];
  const sized = chosen.select(`${other}.${key}`, 'id').addSelect(`octet_length(${other}::text)`, 'bytes').getQuery();
  const summed = `select id, bytes, sum(bytes) over (rows unbounded preceding) as upto from (${sized}) sized`;
  return rows
    .innerJoin(`(${summed})`, 'page', `page.id = ${alias}.${key} and page.upto - page.bytes < ${STEP_BYTES}`)
    .addSelect('page.upto', BYTES)
    .setParameters(chosen.getParameters());
}

/** The rows after a name, up to `take` of them, in the order of their names. */
export async function rowsByName<E extends ObjectLiteral & { readonly name: string }>(
  rows: () => SelectQueryBuilder<E>,
  name: string,
  take: number,
): Promise<CutRows<E>> {
  const chosen = rows().andWhere('t.name > :name', { name }).orderBy('t.name').limit(take);
  const { raw, entities } = await cutRows(rows(), chosen, 'name').orderBy('t.name').getRawAndEntities<object>();
  return { rows: entities, isCut: isCut(raw) };
}

/** Whether these results of such a query are fewer than were chosen. */
export const isCut = (raw: readonly object[]): boolean =>
  Number((raw.at(-1) as { readonly [BYTES]: string } | undefined)?.[BYTES] ?? 0) >= STEP_BYTES;
