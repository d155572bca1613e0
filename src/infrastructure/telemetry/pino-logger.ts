import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';
import { textLines } from './text-lines.js';

export interface LogOptions {
  readonly level: string;
  /** `text` is for people at a terminal. */
  readonly format: 'json' | 'text';
  /** Defaults to standard output. */
  readonly destination?: DestinationStream;
}

/** Never logged, whatever object contains them. */
const SECRETS = ['authorization', 'token', 'secret', 'password', 'url', 'payload'];

export function createLog({ level, format, destination = process.stdout }: LogOptions): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
    },
    format === 'text' ? textLines(destination) : destination,
  );
}

/** Nest's own start-up messages: sixty lines without news. */
const OF_THE_FRAMEWORK = new Set([
  'NestFactory',
  'NestApplication',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
]);

/** Nest's logger through pino. The context becomes a field, and an error keeps its stack. */
export class PinoLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write(OF_THE_FRAMEWORK.has(String(rest.at(-1))) ? 'debug' : 'info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  /** Nest appends the context and, before it, for errors, the stack. */
  private write(
    level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace',
    message: unknown,
    rest: unknown[],
  ): void {
    const texts = rest.filter((part) => typeof part === 'string');
    const fields = { context: texts.at(-1), ...(texts.length > 1 && { stack: texts[0] }) };
    const err = [message, ...rest].find((part) => part instanceof Error);
    if (err) this.logger[level]({ ...fields, err }, message === err ? err.message : String(message));
    else if (typeof message === 'object' && message !== null) this.logger[level]({ ...fields, ...message });
    else this.logger[level](fields, String(message));
  }
}
