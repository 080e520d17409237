import { IsOptional } from 'class-validator';
import { IsDto, IsName, IsNatural, IsOneOf } from '../dto/index.js';
import { Viewer } from './history-messages.js';

export const latencyUnits = ['minute', 'hour', 'day'] as const;
export type LatencyUnit = (typeof latencyUnits)[number];

/** How long executed transactions took, for each minute, hour or day (UTC) of a time. */
export class ReadLatency {
  @IsDto(Viewer) readonly viewer!: Viewer;

  /** Inclusive, by the time of the reservation; widened to whole units. */
  @IsNatural() readonly from!: number;
  @IsNatural() readonly to!: number;

  @IsOneOf(latencyUnits) readonly by!: LatencyUnit;
  @IsOptional() @IsName() readonly token?: string;
}

/** In whole ms, within 5 %. */
export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

export interface LatencyFigures {
  /** Executed on the ledger. */
  readonly transactions: number;
  /** From the claim of a transaction to its outcome; null: there was none. */
  readonly latency_ms: Percentiles | null;
  /** The part of it before an executor began. */
  readonly queue_ms: Percentiles | null;
}

export interface LatencyReport {
  /** The whole units that were read. */
  readonly from: number;
  readonly to: number;
  readonly by: LatencyUnit;
  /** The units with transactions, in order. */
  readonly rows: readonly (LatencyFigures & { readonly at: number })[];
  /** Of all transactions together. */
  readonly total: LatencyFigures;
}
