import { Command } from '@nestjs/cqrs';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND_HANDLERS } from '../../src/application/application.module.js';

/** The metadata key to which the bus's decorator writes, which it does not export. */
const COMMAND_HANDLER_METADATA = '__commandHandler__';

const APPLICATION = join(import.meta.dirname, '../../src/application');

async function commandClasses(): Promise<readonly (new (...args: never[]) => Command<unknown>)[]> {
  const files = readdirSync(APPLICATION, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.handler.ts'),
  );
  const modules = await Promise.all(files.map((file) => import(join(APPLICATION, file)) as Promise<object>));
  return modules.flatMap((module) => Object.values(module)).filter((one) => one.prototype instanceof Command);
}

const handled = COMMAND_HANDLERS.map((handler) => Reflect.getMetadata(COMMAND_HANDLER_METADATA, handler) as unknown);

// The bus only logs a second handler for a command, and lets it replace the first.
describe('the command handlers', () => {
  it('handle every command class', async () => {
    const commands = await commandClasses();
    expect(commands.length).toBeGreaterThan(10);
    expect(new Set(handled)).toEqual(new Set(commands));
  });

  it('are one per command', () => {
    expect(new Set(handled).size).toBe(COMMAND_HANDLERS.length);
  });

  it('are named after their command', () => {
    expect(COMMAND_HANDLERS.map(({ name }) => name)).toEqual(
      handled.map((command) => `${(command as { name: string }).name}Handler`),
    );
  });
});
