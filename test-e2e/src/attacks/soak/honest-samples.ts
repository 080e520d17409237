import { Samples, type SampleSummary } from './samples.js';

/** Collects samples of honest clients over several phases. */
export class HonestSamples {
  readonly sponsoring = new Samples();
  readonly queries = new Samples();

  summary(): HonestPhase {
    return { sponsoring: this.sponsoring.summary(), queries: this.queries.summary() };
  }
}

/** Samples of honest clients from all phases of one kind. */
export interface HonestPhase {
  readonly sponsoring: SampleSummary;
  readonly queries: SampleSummary;
}
