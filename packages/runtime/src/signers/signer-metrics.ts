import type { SignerObserver } from '@forecourt/key-services';
import { type SigningFailed, type SigningFault, signingFaults } from '@forecourt/ledger';
import { type Counter, type Gauge, type Histogram, type Metrics } from '../metrics/index.js';
import { OutageLog, type Logger } from '../service/index.js';

type ObservedSigner = Parameters<SignerObserver['onRequest']>[0];
type SignerRow = Readonly<Record<'signer' | 'sponsor', string>>;
type Outcome = SigningFault | 'signed';

/** Metrics and log lines of the key services. */
export class SignerMetrics implements SignerObserver {
  readonly #requests: Counter<SignerRow & { readonly outcome: Outcome }>;
  readonly #seconds: Histogram<SignerRow>;
  readonly #up: Gauge<SignerRow>;
  readonly #outages = new Map<string, OutageLog>();

  constructor(
    metrics: Metrics,
    private readonly logger: Logger,
  ) {
    const labels = ['signer', 'sponsor'] as const;
    this.#requests = metrics.counter<SignerRow & { readonly outcome: Outcome }>({
      name: 'signer_requests_total',
      labels: [...labels, 'outcome'],
      help: `Requests to key services by outcome: signed, or ${signingFaults.join(', ')}.`,
    });
    this.#seconds = metrics.histogram<SignerRow>({
      name: 'signer_request_duration_seconds',
      labels,
      help: 'Duration of requests to key services, whatever their outcome.',
    });
    this.#up = metrics.gauge<SignerRow>({
      name: 'signer_up',
      labels,
      help: 'Whether a key service signs (1) or is not asked for a while because it failed (0).',
    });
  }

  onRequest({ sponsor, name: signer }: ObservedSigner, outcome: Outcome, seconds: number): void {
    const row = { signer, sponsor };
    this.#requests.add({ ...row, outcome });
    this.#seconds.observe(row, seconds);
    if (outcome === 'signed') this.#up.set(row, 1);
  }

  onOutage({ sponsor, name: signer }: ObservedSigner, failure: SigningFailed | null): void {
    const row = { signer, sponsor };
    this.#up.set(row, failure === null ? 1 : 0);
    const outage = this.outageOf(`${signer} ${sponsor}`);
    if (failure === null) outage.end();
    else outage.report({ ...row, fault: failure.fault, error: failure.message });
  }

  private outageOf(id: string): OutageLog {
    const known = this.#outages.get(id);
    if (known) return known;
    const outage = new OutageLog(this.logger, {
      begins: 'Key service does not sign: its sponsor pays for nothing meanwhile',
      goesOn: 'Key service still does not sign',
      ends: 'Key service signs again',
    });
    this.#outages.set(id, outage);
    return outage;
  }
}
