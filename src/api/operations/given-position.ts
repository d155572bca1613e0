import type { HistoryReader } from '../../application/history/history-reader.js';
import { InvalidInput } from '../input/invalid-input.js';
import { POSITION } from '../input/since.js';

/** The position after which a caller wants to read. Throws `InvalidInput`, with the place of the text in the request, for one that no event can have. */
export async function givenPosition(history: HistoryReader, pointer: string, text: string): Promise<bigint> {
  if (POSITION.test(text) && (await history.canReadAfter(BigInt(text)))) return BigInt(text);
  throw new InvalidInput([{ pointer, detail: 'Expected the position of an event' }]);
}
