type Row = Readonly<Record<string, unknown>>;

interface DifferingRow {
  readonly table: string;
  readonly key: Row;
  /** Null: the row is missing. */
  readonly live: Row | null;
  /** As the log says; null: there is no such row. */
  readonly rebuilt: Row | null;
}

/** How a row of a read model differs from what the log says: `queue_stats {"queue":"mail"}: succeeded 1207, not 1200`. */
export const differingRow = (row: DifferingRow): string =>
  `${row.table} ${JSON.stringify(row.key)}: ${difference(row)}`;

function difference({ live, rebuilt }: DifferingRow): string {
  if (live === null) return 'is missing';
  if (rebuilt === null) return 'should not be there';
  const texts = Object.keys({ ...live, ...rebuilt }).map(
    (column) => [column, JSON.stringify(live[column]), JSON.stringify(rebuilt[column])] as const,
  );
  const differing = texts.filter(([, is, should]) => is !== should);
  return differing.map(([column, is, should]) => `${column} ${is}, not ${should}`).join('; ');
}
