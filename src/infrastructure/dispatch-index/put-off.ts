/**
 * The append was not made, because the looks for cycles of other requests in its statement went over enough of the graph. It is to be tried
 * again in a later statement, without other requests.
 */
export interface PutOff {
  readonly kind: 'put-off';
}
