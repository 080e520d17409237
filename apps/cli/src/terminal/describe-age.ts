const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'm'],
] as const;

/** A time span in its largest whole unit: `5 d`, `3 h`, `12 m`, `7 s`. */
export function describeAge(secs: number): string {
  for (const [unitSecs, unit] of UNITS) {
    if (secs >= unitSecs) return `${Math.floor(secs / unitSecs)} ${unit}`;
  }
  return `${Math.max(0, Math.floor(secs))} s`;
}
