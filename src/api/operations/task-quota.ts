import { Injectable } from '@nestjs/common';
import { CountedQuota } from '../access/counted-quota.js';

/** How many tasks the holders of API keys submit, by whatever request. One for all controllers. */
@Injectable()
export class TaskQuota extends CountedQuota {
  constructor() {
    super('tasks');
  }
}
