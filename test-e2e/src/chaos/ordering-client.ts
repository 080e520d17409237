import { setTimeout as delay } from 'node:timers/promises';
import type { DevnetControl } from '@forecourt/testing/system';
import type { IotaClient } from '@iota/iota-sdk/client';
import type { SponsorStatus } from '@forecourt/contracts/http';
import { type Answer, call } from '../support/application.js';
import type { Seeded } from '../support/seeded.js';
import { callUntilDefinite, type Gateways } from './call-gateway.js';

const PAUSE_MS = 250;
const CALL_MS = 10_000;
const EPOCH_MS = 2_000;
const FUNDS = 1_000_000_000_000n;
const LEAST = 1_000_000;
/** Reads of the node that must agree, because it gives wrong answers at times. */
const ALIKE = 3;

class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

/** An operator's wish that an address receives an amount once more. */
export interface PlacedOrder {
  readonly to: string;
  readonly amount: bigint;
  /** Why the client believes that the amount has arrived; null: it does not know. */
  end: 'shown as sent' | 'found on the ledger' | null;
}

/** Counts of what was ordered of the operator's funds and of what has arrived. */
export interface OrderBook {
  readonly orders: readonly PlacedOrder[];
  /** How many coins of this amount the address has. */
  readonly arrived: (order: PlacedOrder) => number;
  /** Orders that were repeated with the operator's word. */
  readonly afterLosses: number;
}

/**
 * An operator who orders amounts of a drained sponsor's funds, one after another, and repeats calls without
 * an answer. After a loss he ends the epoch, looks at the ledger, and orders again what is missing.
 */
export class OrderingClient {
  readonly orders: PlacedOrder[] = [];
  afterLosses = 0;
  #requests = 0;
  /** The latest loss after which the operator has looked. */
  #loss: string | null = null;
  #givenUp: AbortSignal = AbortSignal.abort();

  constructor(
    private readonly gateways: Gateways,
    private readonly ledger: IotaClient,
    private readonly control: DevnetControl,
    private readonly sponsor: string,
    private readonly recipients: readonly string[],
  ) {}

  /** Before the load: the sponsor never serves. */
  async prepare(): Promise<void> {
    this.#givenUp = AbortSignal.timeout(60_000);
    const body = { sponsor_address: this.sponsor, reason: 'chaos' };
    const drained = await this.ask('/v1/drain', body);
    if (drained.status !== 200) throw new Error(`drain answered ${drained.body.error}`);
    await this.control.mint(this.sponsor, FUNDS);
  }

  /** Orders until `stopping` is aborted, and ends the last order; gives up with `givenUp`. */
  async run(seeded: Seeded, stopping: AbortSignal, givenUp: AbortSignal): Promise<void> {
    this.#givenUp = givenUp;
    try {
      while (!stopping.aborted) {
        const to = seeded.pick(this.recipients);
        const amount = BigInt(seeded.integer(LEAST, 2 * LEAST));
        // Two orders of the same amount are two.
        for (let left = seeded.integer(1, 2); left > 0; left--)
          await this.order(to, amount, seeded);
      }
      await this.untilAtRest();
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
    }
  }

  /** Reads what has arrived. */
  async read(): Promise<OrderBook> {
    const { orders, afterLosses } = this;
    const all = new Map<string, readonly string[]>();
    for (const to of this.recipients) all.set(to, await this.readBalances(to));
    const arrived = ({ to, amount }: PlacedOrder) => countOf(all.get(to)!, amount);
    return { orders, arrived, afterLosses };
  }

  private async order(to: string, amount: bigint, seeded: Seeded): Promise<void> {
    const placed: PlacedOrder = { to, amount, end: null };
    this.orders.push(placed);
    const before = await this.countArrived(placed);
    const since = Date.now();
    let request = this.newRequest();
    for (;;) {
      const answer = await this.place(placed, request, seeded);
      if (answer.status === 200 && (await this.isShownAsSent(placed, since))) {
        placed.end = 'shown as sent';
        return;
      }
      const code = answer.headers.get('error-code');
      const isRepeated = /before the latest withdrawal/.test(String(answer.body.error));
      if (code === 'SPONSOR_NOT_IDLE' && !isRepeated) {
        if (/ is more than /.test(String(answer.body.error))) await this.fund();
        await this.pause();
        continue;
      }
      if (code !== null && code !== 'LOSS_NOT_EXAMINED' && !isRepeated) {
        this.gateways.surprises.push(`an order answered ${answer.status} ${answer.body.error}`);
        return;
      }
      await this.control.advanceEpoch();
      if ((await this.countArrived(placed)) > before) {
        placed.end = 'found on the ledger';
        return;
      }
      if (code === 'LOSS_NOT_EXAMINED') {
        this.afterLosses += 1;
        this.#loss = /after_loss: "(\d+)"/.exec(String(answer.body.error))![1]!;
      } else {
        request = this.newRequest();
      }
    }
  }

  /** Orders at one gateway, or at both at once as people who click twice do. */
  private async place(
    { to, amount }: PlacedOrder,
    request: string,
    seeded: Seeded,
  ): Promise<Answer> {
    const body = {
      sponsor_address: this.sponsor,
      to_address: to,
      amount: String(amount),
      request_id: request,
      reason: 'chaos',
      after_loss: this.#loss,
    };
    const gateway = seeded.integer(0, 1);
    const requests = [this.ask('/v1/withdraw_amount', body, gateway)];
    if (seeded.integer(1, 4) === 1)
      requests.push(this.ask('/v1/withdraw_amount', body, gateway + 1));
    const answers = await Promise.all(requests);
    return answers.find(({ status }) => status !== 200) ?? answers[0]!;
  }

  /** Waits for the end of the order; false if it was not sent, or an earlier one or none is shown. */
  private async isShownAsSent({ to, amount }: PlacedOrder, since: number): Promise<boolean> {
    for (;;) {
      const { withdrawal } = await this.readStatus();
      if (withdrawal === null || withdrawal.since < since) return false;
      if (withdrawal.to_address !== to || withdrawal.amount !== String(amount)) return false;
      if (withdrawal.ended !== null) return withdrawal.arrived === String(amount);
      await this.pause();
    }
  }

  private async readStatus(): Promise<SponsorStatus> {
    const { urls, token } = this.gateways;
    for (let gateway = 0; ; gateway++) {
      const url = urls[gateway % urls.length]!;
      const signal = AbortSignal.any([this.#givenUp, AbortSignal.timeout(CALL_MS)]);
      const requests = call({ url, token }, 'GET', '/v1/sponsors', undefined, {}, signal);
      const answer = await requests.catch(() => null);
      if (answer?.status === 200) {
        const { sponsors } = answer.body.result as unknown as { sponsors: SponsorStatus[] };
        const status = sponsors.find((one) => one.sponsor_address === this.sponsor);
        if (status) return status;
      }
      await this.pause();
    }
  }

  private async ask(path: string, body: object, gateway = 0): Promise<Answer> {
    const answer = await callUntilDefinite(this.gateways, gateway, path, body, this.#givenUp);
    if (answer === null) throw new GivenUp();
    return answer;
  }

  private async countArrived({ to, amount }: PlacedOrder): Promise<number> {
    await this.control.untilShown();
    let [count, alike] = [-1, 0];
    while (alike < ALIKE) {
      const read = await this.readBalances(to).then(
        (balances) => countOf(balances, amount),
        () => null,
      );
      if (read === null) await this.pause();
      alike = read === count ? alike + 1 : 1;
      count = read ?? -1;
    }
    return count;
  }

  private async readBalances(owner: string): Promise<string[]> {
    const balances: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await this.ledger.getCoins({ owner, cursor: cursor ?? null });
      balances.push(...page.data.map(({ balance }) => balance));
      cursor = page.hasNextPage ? page.nextCursor : null;
    } while (cursor != null);
    return balances;
  }

  /** Ends epochs as long as coins wait for that. */
  private async untilAtRest(): Promise<void> {
    while ((await this.readStatus()).coins.maintenance > 0) {
      await this.control.advanceEpoch();
      await delay(EPOCH_MS);
    }
  }

  private async fund(): Promise<void> {
    const owned = await this.ledger.getBalance({ owner: this.sponsor }).catch(() => null);
    if (owned !== null && BigInt(owned.totalBalance) < FUNDS / 2n) {
      await this.control.mint(this.sponsor, FUNDS);
    }
  }

  private newRequest(): string {
    return `chaos-${(this.#requests += 1)}`;
  }

  private async pause(): Promise<void> {
    if (this.#givenUp.aborted) throw new GivenUp();
    await delay(PAUSE_MS);
  }
}

function countOf(balances: readonly string[], amount: bigint): number {
  return balances.filter((balance) => balance === String(amount)).length;
}
