/** Why a command on a group of failures is refused. */
export type FailureGroupRejection =
  | { readonly code: 'FAILURE_GROUP_NOT_FOUND'; readonly group: string }
  /** What is said to have repaired it is no operation. */
  | { readonly code: 'OPERATION_NOT_FOUND'; readonly operation: string };
