import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../caller.js';
import { Transaction, TransactionReceipt } from '../dto/transaction.dto.js';
import { CommandEndpoint } from '../http/endpoint.js';
import { RequestCaller } from '../http/parameters.js';
import { TransactionOperations } from '../operations/transaction.operations.js';

@ApiTags('transactions')
@Controller('v1')
export class TransactionsController {
  constructor(private readonly transactions: TransactionOperations) {}

  @Post('transactions')
  @CommandEndpoint({
    summary: 'Run up to 1000 commands, all or none',
    description:
      'Each is decided on what those before it did. Nothing is visible, and no worker is woken, before all are recorded. ' +
      'Refused with what the first refused command would be refused with by itself, and its `index`.',
    answers: TransactionReceipt,
    refuses: [
      'TASK_NOT_FOUND',
      'QUEUE_NOT_FOUND',
      'ILLEGAL_TRANSITION',
      'KEY_ALREADY_WAITING',
      'REFERENCE_IN_USE',
      'LEASE_LOST',
      'PAYLOAD_TOO_LARGE',
      'TRANSACTION_TOO_LARGE',
    ],
  })
  runTransaction(@Body() body: Transaction, @RequestCaller() caller: Caller) {
    return this.transactions.runTransaction(body, caller);
  }
}
