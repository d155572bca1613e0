/** On which processes, and the database's own functions, wake each other. */
export const CHANNEL = 'waybill';
