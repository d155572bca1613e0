interface Rows {
  query<R extends object>(text: string, values?: unknown[]): Promise<{ rows: R[]; rowCount: number | null }>;
}

export async function tablesIn(pool: Rows): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  return rows.map(({ name }) => name);
}

/** The tables with the mark in a row as text, as a dump has it. */
export async function tablesWith(mark: string, pool: Rows): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of await tablesIn(pool)) {
    const asked = `select from ${name} t where t::text like '%' || $1 || '%' limit 1`;
    if ((await pool.query(asked, [mark])).rowCount !== 0) found.push(name);
  }
  return found;
}
