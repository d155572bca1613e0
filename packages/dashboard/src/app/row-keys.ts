/** The rows of the page's tables that can be opened, in their order. */
const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('main tbody tr:has(a)')];

const rowOf = (element: Element | null): HTMLElement | null => element?.closest<HTMLElement>('main tbody tr') ?? null;

/** Puts the focus on the link of the next or previous row: Enter opens it. The first one, if no row has the focus. */
export function goToRow(by: 1 | -1): void {
  const all = rows();
  const at = all.indexOf(rowOf(document.activeElement)!);
  const row = all[at === -1 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)];
  row?.querySelector('a')?.focus();
  row?.scrollIntoView({ block: 'nearest' });
}

/** Selects the row that has the focus, or takes it out of the selection. */
export function selectRow(): void {
  rowOf(document.activeElement)?.querySelector<HTMLElement>('input[type="checkbox"]')?.click();
}
