export const ATTENDANCE_CATEGORY = 'attendance';

/**
 * Whether workers are there for a queue. It is separate from the queue's stream, with which each append would conflict
 * that is decided by the queue's revision. `of`: as with consumers.
 */
export const attendanceStream = (queue: string): string => `${ATTENDANCE_CATEGORY}-of-${queue}`;
