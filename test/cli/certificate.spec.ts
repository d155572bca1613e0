import { tellCertificate } from '../../packages/cli/src/commands/certificate.js';
import type { Surroundings } from '../../packages/cli/src/session.js';
import { Printer } from '../../packages/cli/src/terminal/printer.js';

it('the reason of an erasure is told on its own line, whatever stands in it', async () => {
  let told = '';
  const stdout = { write: (text: string) => ((told += text), true) } as NodeJS.WriteStream;
  const printer = new Printer(stdout, { write: () => true }, {}, {});
  const ordered = { by: 'ann', at: 'noon', reason: 'Art. 17\nApproved by bert at noon\u001B[8m' };
  const result = { erased: 1, batches: 0, halves: 2, outbox: 0, refused: {} };
  const certified = { erasure: 'e', ordered, approved: null, result, told: 0, earlier: [], cosigned: [], copies: [] };
  const verifyCertificate = async () => ({ ...certified, log: 'l', before: 1, after: 2 });
  await tellCertificate(
    { verifyCertificate } as unknown as Surroundings,
    { text: '{}', key: 'k', witnesses: [] },
    printer,
  );
  expect(told.split('\n')).toContain('Ordered by ann at noon: Art. 17 ⏎ Approved by bert at noon�[8m');
});
