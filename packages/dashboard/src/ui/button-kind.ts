/** `primary` is the one to press first; `danger` is what cannot be taken back, or stops work. */
export type ButtonKind = 'plain' | 'primary' | 'danger' | 'bare';
