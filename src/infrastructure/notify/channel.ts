/** The channel on which processes, and functions in the database, wake each other. */
export const CHANNEL = 'waybill';
