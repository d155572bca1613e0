import type { WaybillError } from '@waybill/client';
import type { Command } from 'commander';

/** The refusal of a command's request. What it finds wrong has the name that people typed: an argument or an option. */
export function refusalOf({ code, message, errors }: WaybillError, command: Command | null): string {
  const typed = errors.reduce(
    (text, { pointer }) => text.replace(`${pointer}: `, `${typedName(pointer, command)}: `),
    message,
  );
  return `${code}: ${typed}`;
}

/** A pointer into a body stays, unless an option is what it points to. */
function typedName(pointer: string, command: Command | null): string {
  const [, parameter, member] = /^#\/(?:query|path)\/(.+)$|^\/([^/]+)$/.exec(pointer) ?? [];
  const name = parameter ?? member;
  if (name === undefined) return pointer;
  const option = command?.options.find((one) => one.attributeName() === name);
  if (option) return option.long ?? option.flags;
  return parameter === undefined ? pointer : `<${name}>`;
}
