/** The text of a UUID in lower case, for regular expressions of JavaScript and of Postgres. */
export const UUID_TEXT = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

export const UUID = new RegExp(`^${UUID_TEXT}$`);

export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/** Letters, digits, dot, dash and underscore; up to 100 characters; begins with a letter or digit. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
