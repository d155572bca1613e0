/** What `waybill doctor` found out about one thing. */
export interface Finding {
  readonly name: string;
  /** `fault`: it does not work. `warning`: it works, and somebody should look. */
  readonly verdict: 'ok' | 'warning' | 'fault';
  readonly says: string;
  /** What to do about it. */
  readonly todo?: string;
}

export const ok = (name: string, says: string): Finding => ({ name, verdict: 'ok', says });
export const warning = (name: string, says: string, todo: string): Finding => ({
  name,
  verdict: 'warning',
  says,
  todo,
});
export const fault = (name: string, says: string, todo: string): Finding => ({ name, verdict: 'fault', says, todo });
