interface Compared {
  readonly state: string;
  readonly step: string | null;
  readonly errorClass: string | null;
  readonly priority: number;
}

/** What of a task differs between two moments, such as `pending → failed, priority 0 → 5`. `from`: null if it was not there. */
export function changeInWords({ from, to }: { readonly from: Compared | null; readonly to: Compared }): string {
  if (from === null) return `new: ${to.state}${to.errorClass === null ? '' : ` (${to.errorClass})`}`;
  const parts = (['state', 'step', 'errorClass', 'priority'] as const).flatMap((name) => {
    if (from[name] === to[name]) return [];
    const change = `${from[name] ?? 'none'} → ${to[name] ?? 'none'}`;
    return [name === 'state' ? change : `${NAMES[name]} ${change}`];
  });
  return parts.join(', ');
}

const NAMES = { step: 'step', errorClass: 'error', priority: 'priority' } as const;
