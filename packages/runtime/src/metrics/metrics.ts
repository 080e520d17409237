import {
  collectDefaultMetrics,
  Counter as PromCounter,
  Gauge as PromGauge,
  Histogram as PromHistogram,
  Registry,
} from 'prom-client';
import { within } from '../async/index.js';
import type {
  Counter,
  Figure,
  Gauge,
  Histogram,
  Labels,
  MetricOptions,
  NoLabels,
} from './metric.js';

const PREFIX = 'forecourt_';
/** Time limit of a figure: a slow source must not delay the others. */
const READ_MS = 2_000;
const LATENCY_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

/**
 * The library's default of ten milliseconds wakes an idle process a hundred times a second; this interval
 * still shows a blocked loop.
 */
const LOOP_LOOK_EVERY_MS = 250;

/**
 * The metrics of a service. One instance per service; code that measures gets only the counter or gauge that
 * it needs.
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

  /**
   * `buckets`: upper bounds; by default those of latencies in seconds. Throws `Error` when the name is taken.
   */
  histogram<Row extends Labels = NoLabels>(
    options: MetricOptions<Row> & { readonly buckets?: readonly number[] },
  ): Histogram<Row> {
    const buckets = [...(options.buckets ?? LATENCY_SECONDS)];
    const histogram = new PromHistogram({ ...this.describe(options), buckets });
    for (const row of options.known ?? []) histogram.zero(row);
    return { observe: (row, value) => histogram.observe(row, value) };
  }

  /**
   * A gauge, or a counter with an external source, whose rows are read at every scrape. A figure that cannot
   * be read in time is left out: an old value would mislead. Throws `Error` when the name is taken.
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
