import { describe, expect, it } from '@jest/globals';
import { groupTitle } from '../../src/projections/failure-groups/group-title.js';

describe('the title of a group of failures', () => {
  it.each([
    ['ETIMEDOUT: connect 10.0.3.4:5432 (db-3) after 5,067 ms', 'ETIMEDOUT: connect … (db-…) after … ms'],
    ['HTTP 503 from payments after 12 ms', 'HTTP 503 from payments after … ms'],
    ['Request failed with status code 429 for order 7', 'Request failed with status code 429 for order …'],
    ['ORA-00942 in table 12', 'ORA-00942 in table …'],
    ['E11000 duplicate key 5', 'E11000 duplicate key …'],
    ['no file 01a21f75-b3b2-7d69-abaf-b3e17ac1b257 here', 'no file … here'],
    ["Cannot read properties of undefined (reading 'iban')", "Cannot read properties of undefined (reading 'iban')"],
  ])('leaves out the numbers of its newest task: %s', (message, title) => {
    expect(groupTitle(message)).toBe(title);
  });

  it('keeps the numbers that other tasks have in the same place', () => {
    const connect = (ip: string, host: string, ms: number) => `ETIMEDOUT: connect ${ip}:5432 (${host}) after ${ms} ms`;
    const others = [connect('10.0.3.7', 'db-3', 5_001), connect('10.0.3.8', 'db-3', 5_002)];
    const title = groupTitle(connect('10.0.3.4', 'db-3', 5_000), others);
    expect(title).toBe('ETIMEDOUT: connect … (db-3) after … ms');
    expect(groupTitle(connect('10.0.3.4', 'db-4', 5_000), others)).toBe('ETIMEDOUT: connect … (db-…) after … ms');
  });

  it('is not led astray by a message of another form', () => {
    expect(groupTitle('order 7 of 9', ['order 7'])).toBe('order … of …');
  });
});
