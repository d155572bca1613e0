/** Counts the statements that this process sends through a copy of `pg`. */
export function countStatements(pg) {
  const { prototype } = pg.Client;
  const send = prototype.query;
  let count = 0;
  prototype.query = function (...args) {
    count++;
    return send.apply(this, args);
  };
  return () => count;
}
