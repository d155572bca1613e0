/** How the names of the service's own queues begin. */
export const OWN_QUEUES = 'waybill.';
