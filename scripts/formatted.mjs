import { readFile } from 'node:fs/promises';
import { format } from 'oxfmt';

const OPTIONS = new URL('../.oxfmtrc.json', import.meta.url);

/** The text as `npm run format` would leave it in the file. */
export async function formatted(file, text) {
  const { code, errors } = await format(file, text, JSON.parse(await readFile(OPTIONS, 'utf8')));
  if (errors.length > 0) throw new Error(`Expected to format '${file}', but: ${errors[0].message}`);
  return code;
}
