/** A limit on callers or clients, as the configuration and its documentation show it. */
export interface Limit {
  readonly what: string;
  /** The scope in which it is counted, and how it is shared. */
  readonly per: string;
  /** A text: how the value follows from others. */
  readonly default: number | string;
  /** The environment variable that changes it; without one, it is fixed. */
  readonly variable?: string;
  /** Another setting that changes it. */
  readonly setting?: string;
  /** The answer beyond it. */
  readonly error: string;
  /** Bounds of the variable; by default 1 and a million. */
  readonly min?: number;
  readonly max?: number;
  readonly unit?: string;
}

export type Limits = Readonly<Record<string, Limit>>;
