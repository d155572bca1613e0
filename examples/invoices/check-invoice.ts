import { euros, type Invoice, totalsOf, type Totals } from './invoice.js';

const TAX_NUMBER =
  /^(AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK)[A-Z0-9+*]{2,12}$/;

const DATE = /^\d{4}-\d\d-\d\d$/;

/** What is wrong with the invoice, by the rules of EN 16931; empty if nothing is. */
export function problemsWith(invoice: Invoice): string[] {
  return [...headProblems(invoice), ...lineProblems(invoice), ...totalProblems(invoice)];
}

function headProblems({ issued, currency, supplier, lines }: Invoice): string[] {
  const problems: string[] = [];
  if (!DATE.test(issued)) problems.push(`Expected a date of issue, but it is '${issued}' (BR-03)`);
  if (!/^[A-Z]{3}$/.test(currency)) problems.push(`Expected a currency, but it is '${currency}' (BR-05)`);
  if (lines.length === 0) problems.push('Expected a line, but there is none (BR-16)');
  if (supplier.taxNumber === null)
    problems.push(`Expected a tax number of ${supplier.name}, but there is none (BR-S-02)`);
  else if (!TAX_NUMBER.test(supplier.taxNumber))
    problems.push(`Expected a tax number that begins with its country, but it is '${supplier.taxNumber}' (BR-CO-09)`);
  return problems;
}

const lineProblems = ({ lines }: Invoice): string[] =>
  lines.flatMap(({ item, quantity, price, amount }) => {
    const right = Math.round(quantity * price);
    return right === amount ? [] : [`Expected ${euros(right)} for ${quantity} × ${item}, but it is ${euros(amount)}`];
  });

const TOTALS: readonly (readonly [keyof Totals, string, string])[] = [
  ['lines', 'the lines', 'BR-CO-10'],
  ['tax', 'the tax', 'BR-CO-14'],
  ['withTax', 'the total with tax', 'BR-CO-15'],
  ['payable', 'the amount to pay', 'BR-CO-16'],
];

function totalProblems({ lines, totals }: Invoice): string[] {
  const right = totalsOf(lines);
  return TOTALS.flatMap(([name, words, rule]) =>
    totals[name] === right[name]
      ? []
      : [`Expected ${words} to add up to ${euros(right[name])}, but the invoice says ${euros(totals[name])} (${rule})`],
  );
}
