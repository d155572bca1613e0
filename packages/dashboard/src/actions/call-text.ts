import type { Waybill } from '@waybill/client';

/** How a program gives the command that `give` gives: the call as text. Nothing is called. */
export function callText(give: (waybill: Waybill) => unknown): string {
  let text = '';
  const recorder = (path: string): unknown =>
    new Proxy(() => undefined, {
      // What is awaited has no `then`, or it would be waited for forever.
      get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : recorder(`${path}.${name}`)),
      apply: (_, __, given: readonly unknown[]) => {
        text = `${path}(${argumentsText(given)})`;
        return recorder(text);
      },
    });
  Promise.resolve(give(recorder('waybill') as Waybill)).catch(() => undefined);
  return `await ${text};`;
}

/** Without what is undefined at the end, and without options that say nothing. */
function argumentsText(given: readonly unknown[]): string {
  const texts = given.map(literal);
  while (texts.length > 0 && ['undefined', '{}'].includes(texts.at(-1)!)) texts.pop();
  return texts.join(', ');
}

function literal(value: unknown): string {
  if (value instanceof Date) return `new Date('${value.toISOString()}')`;
  if (typeof value === 'string')
    return `'${JSON.stringify(value)
      .slice(1, -1)
      .replaceAll(String.raw`\"`, '"')
      .replaceAll("'", String.raw`\'`)}'`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return objectText(value);
  return String(value);
}

/** What the pages add for themselves. */
const OWN: readonly string[] = ['requestId'];

function objectText(value: object): string {
  const members = Object.entries(value).filter(([name, member]) => member !== undefined && !OWN.includes(name));
  if (members.length === 0) return '{}';
  return `{ ${members.map(([name, member]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)}: ${literal(member)}`).join(', ')} }`;
}
