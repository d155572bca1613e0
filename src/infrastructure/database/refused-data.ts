/** SQLSTATE classes for which the data are at fault, so that repeating the statement is no use: data, integrity. */
const REFUSED_CLASSES = ['22', '23'];

const sqlStateClass = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code).slice(0, 2) : '';

/** Whether the database refuses the data, and will again. `own`: a class of this program's own refusals. */
export const isRefusedData = (error: unknown, own?: string): boolean => {
  const found = sqlStateClass(error);
  return REFUSED_CLASSES.includes(found) || (own !== undefined && found === own);
};

/**
 * Whether the database lacks a function, table or column (class 42), as it does while another build migrates it. The
 * statement may succeed later.
 */
export const isMissingObject = (error: unknown): boolean => sqlStateClass(error) === '42';
