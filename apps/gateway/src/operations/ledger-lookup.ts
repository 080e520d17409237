import { Inject, Injectable } from '@nestjs/common';
import type { ExplainedOnLedger, LookupFailure } from '@forecourt/contracts/http';
import { type FinalTransaction, type Ledger, LedgerUnreachable, netGas } from '@forecourt/ledger';
import { within } from '@forecourt/runtime/async';
import { LEDGER } from '@forecourt/runtime/ledger';

/** Shorter than for a transaction: an operator who investigates an outage must not wait long. */
const TIMEOUT_MS = 5_000;

/** Sender and gas owner of a transaction; null if the node that serves reads does not show them. */
interface Parties {
  readonly sender: string | null;
  readonly gas_owner: string | null;
}

/** Finds the ledger's record of a transaction, and its epoch. */
@Injectable()
export class LedgerLookup {
  constructor(
    @Inject(LEDGER)
    private readonly ledger: Ledger,
  ) {}

  /** Null: the ledger has no record of it. Never throws. */
  async find(digest: string): Promise<ExplainedOnLedger | LookupFailure | null> {
    let found: FinalTransaction | null;
    try {
      found = await within(this.ledger.findTransaction(digest), TIMEOUT_MS, 'The ledger');
    } catch (error) {
      return error instanceof LedgerUnreachable && error.isInvalid ? 'invalid' : 'unreachable';
    }
    if (found === null) return null;
    const { status, executedEpoch, gasObject } = found.effects;
    const parties = await this.readParties(digest);
    return {
      status: status.status,
      error: status.error ?? null,
      epoch: executedEpoch,
      gas_charged: String(netGas(found.effects)),
      sender: parties.sender,
      gas_owner: parties.gas_owner ?? addressOf(gasObject.owner),
    };
  }

  /** The ledger's epoch; null while no node answers. */
  async epoch(): Promise<number | null> {
    const status = within(this.ledger.status(), TIMEOUT_MS, 'The ledger');
    return status.then(
      ({ epoch }) => Number(epoch),
      () => null,
    );
  }

  private async readParties(digest: string): Promise<Parties> {
    const read = this.ledger.readTransactionParts(digest, ['input']);
    const parts = await within(read, TIMEOUT_MS, 'The ledger').catch(() => null);
    const input = parts?.input as
      { data?: { sender?: string; gasData?: { owner?: string } } } | null | undefined;
    const { sender = null, gasData } = input?.data ?? {};
    return { sender, gas_owner: gasData?.owner ?? null };
  }
}

function addressOf(owner: unknown): string | null {
  const { AddressOwner: address } = Object(owner) as { AddressOwner?: unknown };
  return typeof address === 'string' ? address : null;
}
