/** The host's name: where the worker runs. Asked at run time, so that a browser may bundle the client. */
export const serverName = (): string => process.getBuiltinModule('node:os').hostname();

/** Unique among the processes of all hosts. */
export const workerName = (): string => `${serverName()}-${process.pid}`;
