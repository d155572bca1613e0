/** Why a command on a resource is refused, or one that names a resource. */
export type ResourceRejection =
  | { readonly code: 'RESOURCE_NOT_FOUND'; readonly resource: string }
  /** A step of a queue needs it. */
  | { readonly code: 'RESOURCE_NEEDED'; readonly resource: string; readonly queue: string; readonly step: string };
