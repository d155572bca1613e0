/** An invoice, with amounts in cents. */
export interface Invoice {
  readonly number: string;
  readonly issued: string;
  readonly currency: string;
  readonly supplier: Supplier;
  readonly customer: string;
  readonly lines: readonly Line[];
  /** What the invoice says of itself. Its checks compare it with the lines. */
  readonly totals: Totals;
}

export interface Supplier {
  readonly name: string;
  /** The VAT number; null if the invoice has none. */
  readonly taxNumber: string | null;
}

export interface Line {
  readonly item: string;
  readonly quantity: number;
  readonly price: number;
  readonly amount: number;
  readonly taxPercent: number;
}

export interface Totals {
  readonly lines: number;
  readonly tax: number;
  readonly withTax: number;
  readonly payable: number;
}

/** What the totals of these lines must be. Tax is rounded per rate, as EN 16931 (BR-CO-17) asks. */
export function totalsOf(lines: readonly Line[]): Totals {
  const net = sum(lines.map(({ amount }) => amount));
  const rates = [...new Set(lines.map(({ taxPercent }) => taxPercent))];
  const taxes = rates.map((rate) => {
    const taxable = sum(lines.filter(({ taxPercent }) => taxPercent === rate).map(({ amount }) => amount));
    return Math.round((taxable * rate) / 100);
  });
  const tax = sum(taxes);
  return { lines: net, tax, withTax: net + tax, payable: net + tax };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

export const euros = (cents: number): string => (cents / 100).toFixed(2);
