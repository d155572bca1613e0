import { euros, type Invoice, type Line, type Totals } from './invoice.js';

const INVOICE = 'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2';
const AGGREGATE = 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2';
const BASIC = 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2';

/** The invoice as UBL 2.1 (ISO/IEC 19845). */
export const ublOf = (invoice: Invoice): string => `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="${INVOICE}" xmlns:cac="${AGGREGATE}" xmlns:cbc="${BASIC}">
  <cbc:UBLVersionID>2.1</cbc:UBLVersionID>
  <cbc:ID>${text(invoice.number)}</cbc:ID>
  <cbc:IssueDate>${invoice.issued}</cbc:IssueDate>
  <cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>
  <cbc:DocumentCurrencyCode>${invoice.currency}</cbc:DocumentCurrencyCode>
  <cac:AccountingSupplierParty>
    <cac:Party>
      <cac:PartyName><cbc:Name>${text(invoice.supplier.name)}</cbc:Name></cac:PartyName>${taxScheme(invoice)}
    </cac:Party>
  </cac:AccountingSupplierParty>
  <cac:AccountingCustomerParty>
    <cac:Party><cac:PartyName><cbc:Name>${text(invoice.customer)}</cbc:Name></cac:PartyName></cac:Party>
  </cac:AccountingCustomerParty>
  ${totals(invoice.totals, invoice.currency)}
${invoice.lines.map((line, at) => lineOf(line, at + 1, invoice.currency)).join('\n')}
</Invoice>
`;

const taxScheme = ({ supplier }: Invoice): string =>
  supplier.taxNumber === null
    ? ''
    : `
      <cac:PartyTaxScheme>
        <cbc:CompanyID>${text(supplier.taxNumber)}</cbc:CompanyID>
        <cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>
      </cac:PartyTaxScheme>`;

const totals = ({ lines, tax, withTax, payable }: Totals, currency: string): string => `<cac:TaxTotal>
    <cbc:TaxAmount currencyID="${currency}">${euros(tax)}</cbc:TaxAmount>
  </cac:TaxTotal>
  <cac:LegalMonetaryTotal>
    <cbc:LineExtensionAmount currencyID="${currency}">${euros(lines)}</cbc:LineExtensionAmount>
    <cbc:TaxExclusiveAmount currencyID="${currency}">${euros(lines)}</cbc:TaxExclusiveAmount>
    <cbc:TaxInclusiveAmount currencyID="${currency}">${euros(withTax)}</cbc:TaxInclusiveAmount>
    <cbc:PayableAmount currencyID="${currency}">${euros(payable)}</cbc:PayableAmount>
  </cac:LegalMonetaryTotal>`;

const lineOf = (line: Line, id: number, currency: string): string => `  <cac:InvoiceLine>
    <cbc:ID>${id}</cbc:ID>
    <cbc:InvoicedQuantity unitCode="EA">${line.quantity}</cbc:InvoicedQuantity>
    <cbc:LineExtensionAmount currencyID="${currency}">${euros(line.amount)}</cbc:LineExtensionAmount>
    <cac:Item>
      <cbc:Name>${text(line.item)}</cbc:Name>
      <cac:ClassifiedTaxCategory>
        <cbc:ID>S</cbc:ID>
        <cbc:Percent>${line.taxPercent}</cbc:Percent>
        <cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>
      </cac:ClassifiedTaxCategory>
    </cac:Item>
    <cac:Price><cbc:PriceAmount currencyID="${currency}">${euros(line.price)}</cbc:PriceAmount></cac:Price>
  </cac:InvoiceLine>`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const text = (given: string): string => given.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
