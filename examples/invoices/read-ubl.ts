import { DOMParser, type Document, type Element, MIME_TYPE, ParseError } from '@xmldom/xmldom';
import type { Invoice, Line } from './invoice.js';

const AGGREGATE = 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2';
const BASIC = 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2';

/** The file is no invoice that a program can read. The message completes a sentence that begins with the file's name. */
export class NoInvoice extends Error {
  override readonly name = 'NoInvoice';
}

/** Reads UBL 2.1, whatever prefixes it has. Throws `NoInvoice`. Says nothing about whether the invoice is right. */
export function readInvoice(xml: string): Invoice {
  const root = documentIn(xml).documentElement!;
  if (root.localName !== 'Invoice') throw new NoInvoice(`to be an invoice, but it is a '${root.localName}'`);
  const supplier = required(root, 'AccountingSupplierParty');
  const totals = required(root, 'LegalMonetaryTotal');
  return {
    number: textOf(root, 'ID'),
    issued: textOf(root, 'IssueDate'),
    currency: textOf(root, 'DocumentCurrencyCode'),
    supplier: { name: textOf(supplier, 'Name'), taxNumber: found(supplier, 'CompanyID', BASIC)?.textContent ?? null },
    customer: textOf(required(root, 'AccountingCustomerParty'), 'Name'),
    lines: all(root, 'InvoiceLine').map(lineOf),
    totals: {
      lines: cents(totals, 'LineExtensionAmount'),
      tax: cents(required(root, 'TaxTotal'), 'TaxAmount'),
      withTax: cents(totals, 'TaxInclusiveAmount'),
      payable: cents(totals, 'PayableAmount'),
    },
  };
}

function documentIn(xml: string): Document {
  const onError = (level: string, message: string): void => {
    if (level !== 'warning') throw new ParseError(message);
  };
  try {
    return new DOMParser({ onError }).parseFromString(xml, MIME_TYPE.XML_TEXT);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new NoInvoice(`to be XML, but: ${error.message.split('\n')[0]}`);
  }
}

const lineOf = (line: Element): Line => ({
  item: textOf(required(line, 'Item'), 'Name'),
  quantity: numberIn(line, 'InvoicedQuantity'),
  price: cents(line, 'PriceAmount'),
  amount: cents(line, 'LineExtensionAmount'),
  taxPercent: numberIn(line, 'Percent'),
});

const all = (within: Element, name: string, namespace = AGGREGATE): Element[] => [
  ...within.getElementsByTagNameNS(namespace, name),
];

const found = (within: Element, name: string, namespace = AGGREGATE): Element | null =>
  all(within, name, namespace)[0] ?? null;

function required(within: Element, name: string, namespace = AGGREGATE): Element {
  const element = found(within, name, namespace);
  if (element) return element;
  throw new NoInvoice(`to have '${name}' in '${within.localName}', but it has none`);
}

function textOf(within: Element, name: string): string {
  const text = required(within, name, BASIC).textContent?.trim() ?? '';
  if (text === '') throw new NoInvoice(`to have a text in '${name}', but it is empty`);
  return text;
}

function numberIn(within: Element, name: string): number {
  const text = textOf(within, name);
  const number = Number(text);
  if (Number.isFinite(number)) return number;
  throw new NoInvoice(`to have a number in '${name}', but it is '${text}'`);
}

/** Rounding removes what binary fractions add. An amount has two decimals at most (BR-DEC). */
function cents(within: Element, name: string): number {
  const amount = numberIn(within, name) * 100;
  if (Math.abs(amount - Math.round(amount)) < 1e-6) return Math.round(amount);
  throw new NoInvoice(`to have an amount with two decimals in '${name}', but it is '${textOf(within, name)}'`);
}
