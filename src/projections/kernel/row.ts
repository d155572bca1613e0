/** Columns by their names. */
export type Row = Readonly<Record<string, unknown>>;
