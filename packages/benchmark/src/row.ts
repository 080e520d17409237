/** One measured figure, with its reference in the same run. */
export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The name of the reference. */
  readonly reference?: string;
  /** The figure as a share of the reference. */
  readonly ratio?: number;
  readonly target?: string;
  /** Whether the target is met; absent where there is none. */
  readonly isMet?: boolean;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The value below which `share` of the values lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
