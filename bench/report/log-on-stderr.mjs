import { ConsoleLogger, Logger } from '@nestjs/common';

/** Keeps what the product logs within a bench apart from the results, which other programs read from stdout. */
class LogOnStderr extends ConsoleLogger {
  printMessages(messages, context, level) {
    super.printMessages(messages, context, level, 'stderr');
  }
}

Logger.overrideLogger(new LogOnStderr());
