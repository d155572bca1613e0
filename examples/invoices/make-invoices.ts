import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Invoice, type Line, type Supplier, totalsOf } from './invoice.js';
import { ublOf } from './write-ubl.js';

/** What is wrong with an invoice, on purpose. `away`: its supplier's service is down for a while. */
export type Fault = 'totals' | 'tax number' | 'duplicate' | 'cut off' | 'away';

export interface MadeInvoice {
  readonly path: string;
  readonly number: string;
  readonly supplier: Supplier;
  readonly fault: Fault | null;
}

/** The supplier whose service is down at first. */
export const AWAY: Supplier = { name: 'Kaffee & Söhne GmbH', taxNumber: 'DE811907980' };

const SUPPLIERS: readonly Supplier[] = [
  { name: 'Papeterie Lumière SARL', taxNumber: 'FR40303265045' },
  { name: 'Cables "Norte" S.L.', taxNumber: 'ESB58378431' },
  { name: 'Tulip Hosting B.V.', taxNumber: 'NL820646660B01' },
  { name: 'Stahlbau Huber KG', taxNumber: 'ATU13585627' },
];

const ITEMS = ['paper A4', 'toner <black>', 'desk lamp', 'patch cable 2 m', 'hosting, a month', 'coffee 1 kg', 'shelf'];

/** Of twenty invoices in a row, these are wrong. */
const FAULTS: Readonly<Record<number, Fault>> = { 3: 'totals', 7: 'tax number', 11: 'duplicate', 14: 'cut off' };

/** Writes `count` invoices into the folder. The same seed makes the same files. `whole`: none is cut off. */
export async function makeInvoices(
  folder: string,
  count: number,
  seed: number,
  sent: 'as it was' | 'whole' = 'as it was',
): Promise<readonly MadeInvoice[]> {
  await mkdir(folder, { recursive: true });
  const made: MadeInvoice[] = [];
  const random = randomFrom(seed);
  let before: Invoice | null = null;
  for (let at = 0; at < count; at++) {
    const fault = FAULTS[at % 20] ?? null;
    const invoice: Invoice = fault === 'duplicate' && before ? before : spoilt(invoiceOf(at, random), fault);
    const path = join(folder, `invoice-${String(at + 1).padStart(4, '0')}.xml`);
    const xml = ublOf(invoice);
    await writeFile(path, fault === 'cut off' && sent !== 'whole' ? xml.slice(0, xml.length / 2) : xml);
    const { number, supplier } = invoice;
    made.push({ path, number, supplier, fault: fault ?? (supplier.name === AWAY.name ? 'away' : null) });
    if (fault === null) before = invoice;
  }
  return made;
}

function invoiceOf(at: number, random: () => number): Invoice {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const lines: Line[] = Array.from({ length: 1 + Math.floor(random() * 5) }, () => {
    const [quantity, price] = [1 + Math.floor(random() * 9), 100 + Math.floor(random() * 50_000)];
    return { item: pick(ITEMS), quantity, price, amount: quantity * price, taxPercent: pick([7, 19]) };
  });
  return {
    number: `2026-${String(1_000 + at)}`,
    issued: `2026-11-${String(1 + (at % 28)).padStart(2, '0')}`,
    currency: 'EUR',
    supplier: at % 10 === 5 ? AWAY : pick(SUPPLIERS),
    customer: 'Waybill Examples Ltd',
    lines,
    totals: totalsOf(lines),
  };
}

function spoilt(invoice: Invoice, fault: Fault | null): Invoice {
  if (fault === 'totals')
    return { ...invoice, totals: { ...invoice.totals, payable: invoice.totals.payable + 10_000 } };
  if (fault === 'tax number') return { ...invoice, supplier: { ...invoice.supplier, taxNumber: null } };
  return invoice;
}

/** Mulberry32: small, and enough for test data. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
