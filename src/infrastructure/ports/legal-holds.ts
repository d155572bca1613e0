/** Whether a legal hold covers what has these labels, an SQL expression. */
export const isHeldBack = (labels: string): string =>
  `exists (select from holds h where h.forbids_erasure and h.state = 'placed' and ${labels} @> h.labels)`;
