/**
 * The host's name, which says where the worker runs. Looked up at run time, so that the client can be bundled for
 * browsers.
 */
export const serverName = (): string => process.getBuiltinModule('node:os').hostname();

/** Unique among the processes of all hosts. */
export const workerName = (): string => `${serverName()}-${process.pid}`;
