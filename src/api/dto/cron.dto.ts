import { Closed, Text } from '../input/fields.js';

@Closed()
export class CronPattern {
  @Text({ max: 100, example: '30 2 * * 1-5', description: 'Minute, hour, day of the month, month, day of the week.' })
  cron!: string;

  @Text({ max: 100, example: 'Europe/Berlin', description: 'The IANA name of the time zone.' })
  timeZone!: string;
}
