/**
 * The labels of one series and their values. Values come from a bounded set: never an id, a user's address or
 * free text.
 */
export type Labels = Readonly<Record<string, string>>;
/** For so long, several metrics and scrapers share a figure, in ms. */
export const FRESH_MS = 1_000;

/** A metric without labels. */
export type NoLabels = Readonly<Record<never, string>>;

/** Counts events; never decreases. */
export interface Counter<Row extends Labels = NoLabels> {
  add(row: Row, by?: number): void;
}

/** A current value. */
export interface Gauge<Row extends Labels = NoLabels> {
  set(row: Row, value: number): void;
  /** Removes the series: this process no longer knows its value. */
  remove(row: Row): void;
}

/** A distribution of durations, in seconds, or of sizes. */
export interface Histogram<Row extends Labels = NoLabels> {
  observe(row: Row, value: number): void;
}

/** One series and its value, read at a scrape. */
export type Figure<Row extends Labels = NoLabels> = readonly [row: Row, value: number];

export interface MetricOptions<Row extends Labels> {
  /** Without the prefix `forecourt_`; ends with the unit, and for counters with `_total`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly (keyof Row & string)[];
  /** Rows that are shown as 0 from the start, so that rates include the first event. */
  readonly known?: readonly Row[];
}
