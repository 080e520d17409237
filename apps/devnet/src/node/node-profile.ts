import type { LagRange } from '../engine/delayed-steps.js';

/**
 * Version of the node: of 2025, with the gRPC of March 2026 (1.21), or as of August 2026, when codes and
 * texts of errors changed and gRPC got more fields. That of 2022 is as of 2025, and speaks the legacy dialect
 * of events too.
 */
export type NodeVersion = '2022' | '2025' | '2026';

/** The differences between nodes. */
export interface NodeProfile {
  readonly version: NodeVersion;
  /** Whether an indexer answers in place of the node: every error of a write becomes -32603. */
  readonly behindIndexer: boolean;
  /** Whether refusals because of missing objects and packages are reported as transient (-32050). */
  readonly missingIsTransient: boolean;
  /** Whether transactions go to consensus without a certificate: validators' locks are soft. */
  readonly certificateless: boolean;
  /** Duration of soft locks. */
  readonly softLockMs: number;
  /** Headers, with names in lower case, that every request must have. */
  readonly requiredHeaders: Readonly<Record<string, string>>;
  /** Filters of `iotax_queryTransactionBlocks` that the node has no index for. */
  readonly unsupportedFilters: readonly string[];
  /** Delay of reads behind the validators. */
  readonly lagMs: LagRange;
}

export const SOFT_LOCK_MS = 12_000;

const LONGEST_MS = 600_000;

export const NO_LAG: LagRange = { minMs: 0, maxMs: 0 };
/**
 * A node with gRPC shows a transaction with its checkpoint only, which comes after the answer: 1.9 s at a
 * node of March 2026, and soon enough for tests here.
 */
export const GRPC_LAG: LagRange = { minMs: 50, maxMs: 50 };
export const LAG_FORMAT = `milliseconds, 0 to ${LONGEST_MS}, or a range such as 0-500`;

/** Reads `200` or `0-500`; null for other text. */
export function readLag(text: string): LagRange | null {
  const [, min, max = min] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(text) ?? [];
  const range = { minMs: Number(min), maxMs: Number(max) };
  return range.minMs <= range.maxMs && range.maxMs <= LONGEST_MS ? range : null;
}

/** The protocol with certificates; the SDK asks for system state V2 from version 5 on. */
const WITH_CERTIFICATES = 20;
/** The first protocol without. */
const CERTIFICATELESS = 32;

/** The protocol version of a network whose nodes have this profile. */
export function protocolVersionOf({ certificateless }: NodeProfile): number {
  return certificateless ? CERTIFICATELESS : WITH_CERTIFICATES;
}
