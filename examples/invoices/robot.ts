import type { Item, Run, Task } from '@waybill/client';
import { readFile } from 'node:fs/promises';
import { problemsWith } from './check-invoice.js';
import { euros } from './invoice.js';
import type { Ledger } from './ledger.js';
import { NoInvoice, readInvoice } from './read-ubl.js';
import { isActive, RegisterAway } from './supplier-register.js';

/** What an item says: where its invoice is. */
export interface InvoiceFile {
  readonly path: string;
}

export interface Office {
  readonly ledger: Ledger;
  readonly registerUrl: string;
}

/** The result of an item. `job`: the job with which its robot got it, if it did not get it by itself. */
export interface Booked {
  readonly invoice: string;
  readonly payable: string;
  readonly job?: string;
}

/** Books one invoice. What it returns decides what becomes of the item: see the classes of failures. */
export async function book(task: Task<InvoiceFile>, run: Run, office: Office, job?: string): Promise<unknown> {
  try {
    const invoice = readInvoice(await readFile(task.payload.path, 'utf8'));
    const problems = problemsWith(invoice);
    // The supplier must send another invoice, so no retry can help.
    if (problems.length > 0) return run.fail('business', problems.join('; '), { details: { problems } });
    const { number, supplier, totals } = invoice;
    if (!(await isActive(office.registerUrl, supplier.taxNumber!, run.signal)))
      return run.fail('business', `Expected ${supplier.name} to be a supplier, but the register has it as inactive`);
    const entry = { task: task.taskId, invoice: number, supplier: supplier.name, payable: totals.payable };
    await office.ledger.post(entry);
    return { invoice: number, payable: euros(totals.payable), job } satisfies Booked;
  } catch (error) {
    // The same file may be readable at the next attempt only if somebody repairs it.
    if (error instanceof NoInvoice) return run.fail('application', `Expected the file ${error.message}`);
    if (error instanceof RegisterAway) return run.fail('transient', error.message);
    throw error;
  }
}

/** Works on the items that a trigger claimed for the job. A failed item does not stop the others. */
export async function workJob(job: Task, run: Run, office: Office): Promise<{ readonly items: number }> {
  for (const item of run.items as readonly Item<InvoiceFile>[])
    await item.settle(await book(item.task, run, office, job.taskId));
  return { items: run.items.length };
}
