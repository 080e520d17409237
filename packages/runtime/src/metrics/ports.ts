/** The labels of one series and their values. Values come from a bounded set: never an id, an address of a user or a text. */
export type Labels = Readonly<Record<string, string>>;
/** A metric without labels. */
export type NoLabels = Readonly<Record<never, string>>;

/** Counts what happens; only ever grows. */
export interface Counter<Row extends Labels = NoLabels> {
  add(row: Row, by?: number): void;
}

/** A current value. */
export interface Gauge<Row extends Labels = NoLabels> {
  set(row: Row, value: number): void;
  /** Stops showing the series: this process no longer knows its value. */
  remove(row: Row): void;
}

/** How long something takes, in seconds, or how large it is. */
export interface Histogram<Row extends Labels = NoLabels> {
  observe(row: Row, value: number): void;
}

/** One series and its value, read when the metrics are asked for. */
export type Figure<Row extends Labels = NoLabels> = readonly [row: Row, value: number];

export interface MetricOptions<Row extends Labels> {
  /** Without the prefix `forecourt_`; its unit last, then `_total` for what is counted. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly (keyof Row & string)[];
  /** Rows that are shown as 0 from the beginning, so that rates include the first event. */
  readonly known?: readonly Row[];
}
