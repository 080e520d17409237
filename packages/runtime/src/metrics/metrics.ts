import {
  collectDefaultMetrics,
  Counter as PromCounter,
  Gauge as PromGauge,
  Histogram as PromHistogram,
  Registry,
} from 'prom-client';
import { within } from '../async/index.js';

/**
 * The labels of one series and their values. Values come from a bounded set: never an id, a user's address or free
 * text.
 */
export type Labels = Readonly<Record<string, string>>;
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

const PREFIX = 'forecourt_';
/** Time limit of a figure: a slow source must not delay the others. */
const READ_MS = 2_000;
const LATENCY_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

/**
 * The library's default of ten milliseconds wakes an idle process a hundred times a second; this interval still
 * shows a blocked loop.
 */
const LOOP_LOOK_EVERY_MS = 250;

/**
 * The metrics of a service. One instance per service; code that measures gets only the counter or gauge that it
 * needs.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #unread = this.counter<{ metric: string }>({
    name: 'unread_figures_total',
    help: 'Figures that could not be read during a scrape.',
    labels: ['metric'],
  });

  /** Those of a service, and the process's own: memory, CPU, event-loop lag, garbage collection. */
  static ofProcess(service: string): Metrics {
    const metrics = Metrics.ofService(service);
    collectDefaultMetrics({
      register: metrics.#registry,
      prefix: PREFIX,
      eventLoopMonitoringPrecision: LOOP_LOOK_EVERY_MS,
    });
    return metrics;
  }

  /** For a service in a process whose own figures another service shows. */
  static ofService(service: string): Metrics {
    const metrics = new Metrics();
    const info = { name: 'service_info', help: 'Name of this service; always 1.' };
    metrics.gauge<{ service: string }>({ ...info, labels: ['service'] }).set({ service }, 1);
    return metrics;
  }

  /** Throws `Error` when the name is taken. */
  counter<Row extends Labels = NoLabels>(options: MetricOptions<Row>): Counter<Row> {
    const counter = new PromCounter({ ...this.describe(options) });
    for (const row of options.known ?? []) counter.inc(row, 0);
    return { add: (row, by = 1) => counter.inc(row, by) };
  }

  /** Throws `Error` when the name is taken. */
  gauge<Row extends Labels = NoLabels>(options: MetricOptions<Row>): Gauge<Row> {
    const gauge = new PromGauge({ ...this.describe(options) });
    for (const row of options.known ?? []) gauge.set(row, 0);
    return {
      set: (row, value) => gauge.set(row, value),
      remove: (row) => gauge.remove(row),
    };
  }

  /** `buckets`: upper bounds; by default those of latencies in seconds. Throws `Error` when the name is taken. */
  histogram<Row extends Labels = NoLabels>(
    options: MetricOptions<Row> & { readonly buckets?: readonly number[] },
  ): Histogram<Row> {
    const buckets = [...(options.buckets ?? LATENCY_SECONDS)];
    const histogram = new PromHistogram({ ...this.describe(options), buckets });
    for (const row of options.known ?? []) histogram.zero(row);
    return { observe: (row, value) => histogram.observe(row, value) };
  }

  /**
   * A gauge, or a counter with an external source, whose rows are read at every scrape. A figure that cannot be
   * read in time is left out: an old value would mislead. Throws `Error` when the name is taken.
   */
  figures<Row extends Labels = NoLabels>(
    options: MetricOptions<Row> & {
      readonly kind?: 'gauge' | 'counter';
      readonly read: () => readonly Figure<Row>[] | Promise<readonly Figure<Row>[]>;
    },
  ): void {
    const { name, read, kind = 'gauge' } = options;
    // Removes the initial 0 that the library gives a metric without labels.
    const hide = () => {
      if (!options.labels) metric.remove();
    };
    const collect = async (): Promise<void> => {
      metric.reset();
      try {
        const rows = await within(Promise.resolve(read()), READ_MS, name);
        metric.reset();
        for (const [row, value] of rows) metric.inc(row, value);
        if (rows.length === 0) hide();
      } catch {
        hide();
        this.#unread.add({ metric: PREFIX + name });
      }
    };
    const described = { ...this.describe(options), collect };
    const metric = kind === 'gauge' ? new PromGauge(described) : new PromCounter(described);
  }

  /** All metrics in the Prometheus text format. */
  async expose(): Promise<{ readonly contentType: string; readonly text: string }> {
    return { contentType: this.#registry.contentType, text: await this.#registry.metrics() };
  }

  private describe<Row extends Labels>({ name, help, labels = [] }: MetricOptions<Row>) {
    return { name: PREFIX + name, help, labelNames: [...labels], registers: [this.#registry] };
  }
}

/** Lifetime of a cached figure that several metrics or scrapers share. */
const FRESH_MS = 1_000;

/** Caches the result of `read` for `freshMs`; a failure is not cached. */
export function cacheRead<T>(read: () => Promise<T>, freshMs = FRESH_MS): () => Promise<T> {
  let known: { readonly value: Promise<T>; readonly at: number } | null = null;
  return () => {
    const now = performance.now();
    if (known && now - known.at < freshMs) return known.value;
    const value = read();
    known = { value, at: now };
    value.catch(() => {
      if (known?.value === value) known = null;
    });
    return value;
  };
}

/** Returns a function that returns the seconds since this call. */
export function startStopwatch(): () => number {
  const startedAt = performance.now();
  return () => (performance.now() - startedAt) / 1_000;
}

/** Counts the ledger's charge for a transaction, in the smallest unit; negative when the refund was larger. */
export type CountGas<Purpose extends string> = (purpose: Purpose, gasCharged: bigint) => void;

/** Registers the metrics of gas costs, by purpose, and returns their counting function. */
export function createGasCounter<Purpose extends string>(
  metrics: Metrics,
  purposes: readonly Purpose[],
): CountGas<Purpose> {
  const known = purposes.map((purpose) => ({ purpose }));
  const labels = ['purpose'] as const;
  const charged = metrics.counter<{ purpose: Purpose }>({
    name: 'gas_charged_smallest_unit_total',
    labels,
    known,
    help: 'Gas paid by the sponsors, in the ledger’s smallest unit.',
  });
  const refunded = metrics.counter<{ purpose: Purpose }>({
    name: 'gas_refunded_smallest_unit_total',
    labels,
    known,
    help: 'Storage refunded to the sponsors beyond what the transaction cost, in the ledger’s smallest unit.',
  });
  return (purpose, gasCharged) => {
    if (gasCharged >= 0n) charged.add({ purpose }, Number(gasCharged));
    else refunded.add({ purpose }, Number(-gasCharged));
  };
}

const callOutcomes = ['answered', 'refused', 'invalid', 'unreachable'] as const;

/** A finished call to a ledger node. */
export interface LedgerCall {
  /** The node's name of the method. */
  readonly method: string;
  readonly outcome: (typeof callOutcomes)[number];
  readonly seconds: number;
}

/** Counts and times calls to ledger nodes; the returned function is called for each. */
export function measureLedgerCalls(metrics: Metrics): (call: LedgerCall) => void {
  const calls = metrics.counter<{ method: string; outcome: LedgerCall['outcome'] }>({
    name: 'ledger_calls_total',
    help: 'Calls to ledger nodes: answered, refused (answered with an error), invalid (the answer cannot be used) or unreachable.',
    labels: ['method', 'outcome'],
  });
  const duration = metrics.histogram<{ method: string }>({
    name: 'ledger_call_duration_seconds',
    help: 'Duration of calls to ledger nodes.',
    labels: ['method'],
  });
  const seen = new Set<string>();
  return ({ method, outcome, seconds }) => {
    // Prometheus computes rates from increases: the first failure must show as a rise from 0.
    if (!seen.has(method)) for (const one of callOutcomes) calls.add({ method, outcome: one }, 0);
    seen.add(method);
    calls.add({ method, outcome });
    duration.observe({ method }, seconds);
  };
}
