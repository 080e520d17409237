import { IsNatural } from '../dto/index.js';

/** Paths of the events service for its gateways, and of the gateway's routes without `/v1`. */
export const EVENTS_INDEX_PATHS = {
  state: '/events_index',
  backfill: '/events_index/backfill',
} as const;

/** Checkpoints from the first to the last, both included. */
export class CheckpointRange {
  @IsNatural() readonly first_checkpoint!: number;
  @IsNatural() readonly last_checkpoint!: number;
}
