import { type ExecuteRequest, type GasStation, GasStationError } from '@forecourt/client';
import { IotaClient, IotaHTTPTransport } from '@iota/iota-sdk/client';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import { buildCar } from '../support/ledger-user.js';
import type { Seeded } from '../support/seeded.js';

const GAS_BUDGET = 20_000_000;
const DURATION_SECS = 20;
const ABORT_AFTER_MS = [1, 1_500] as const;

/** The end of one call of `sponsor`. */
export type Outcome =
  | { readonly kind: 'executed'; readonly digest: string; readonly status: string }
  | { readonly kind: 'failed'; readonly code: string; readonly pending?: ExecuteRequest }
  | { readonly kind: 'aborted' }
  /** The node did not answer the SDK while it built a transaction; the client passes the error on. */
  | { readonly kind: 'not built' }
  /** An error that callers should never get. */
  | { readonly kind: 'surprise'; readonly error: unknown };

/** One call of `sponsor`; its transaction builds the only car of its sender. */
export interface ClientCall {
  readonly sender: string;
  readonly outcome: Outcome;
  readonly tookMs: number;
}

export interface ClientParts {
  readonly station: GasStation;
  readonly ledger: IotaClient;
  readonly seeded: Seeded;
  /** When it is aborted, no further call begins. */
  readonly stopping: AbortSignal;
  readonly calls: ClientCall[];
}

/** Sponsors one transaction after another, in the ways that the package offers, as the seed decides. */
export async function runPackageClient(parts: ClientParts): Promise<void> {
  const { station, ledger, seeded, stopping, calls } = parts;
  while (!stopping.aborted) {
    const signer = new Ed25519Keypair();
    const sender = signer.toIotaAddress();
    const transaction = new Transaction();
    buildCar(transaction, 'Mini', sender);
    const signal =
      seeded.weighted({ patient: 6, impatient: 1 }) === 'impatient'
        ? AbortSignal.timeout(seeded.integer(...ABORT_AFTER_MS))
        : undefined;
    const since = performance.now();
    const outcome = await outcomeOf(
      station.sponsor({
        transaction,
        client: ledger,
        signer,
        durationSecs: DURATION_SECS,
        signal,
        // Without a budget, the gas station completes the transaction.
        ...(seeded.pick([true, false]) && { gasBudget: GAS_BUDGET }),
        requestType: seeded.pick(['waitForEffectsCert', 'waitForLocalExecution']),
      }),
      signal,
    );
    calls.push({ sender, outcome, tookMs: performance.now() - since });
  }
}

/** Waits for the outcome of a call. */
export async function outcomeOf(
  call: ReturnType<GasStation['execute']>,
  signal?: AbortSignal,
): Promise<Outcome> {
  try {
    const { digest, effects } = await call;
    return { kind: 'executed', digest, status: effects.status.status };
  } catch (error) {
    if (signal?.aborted && error === signal.reason) return { kind: 'aborted' };
    if (error instanceof NodeUnreachable) return { kind: 'not built' };
    if (!(error instanceof GasStationError)) return { kind: 'surprise', error };
    const { code, pending } = error;
    return { kind: 'failed', code, ...(pending && { pending }) };
  }
}

/** The error of building a transaction when the node does not answer. */
class NodeUnreachable extends Error {
  override readonly name = 'NodeUnreachable';
}

/**
 * A ledger client like a program's own; its errors can be distinguished from those of the gas station's
 * client.
 */
export function programsLedger(url: string): IotaClient {
  const tellingFetch: typeof fetch = (...call) =>
    fetch(...call).catch((cause: unknown) => {
      throw new NodeUnreachable('the node does not answer', { cause });
    });
  return new IotaClient({ transport: new IotaHTTPTransport({ url, fetch: tellingFetch }) });
}
