import { type DecisionFacts, readDecisionFacts, type TrafficRecord } from '@forecourt/contracts';
import type { DecodedTransaction } from '@forecourt/ledger';
import { type AccessSubject, AccessUndecided } from '../access/index.js';
import type { DecidedReport } from './replay-report.js';
import { ReplayTally } from './replay-tally.js';
import { ReplayedRules, type ReplayParts } from './replayed-rules.js';

const HEADER = 'a header of the request decides, which is not recorded';
const ARGUMENTS = 'the arguments of calls decide, which the ledger would have to show';
const CHANGES = 'balance changes decide, which the ledger would have to forecast';

/**
 * The functions of an `AccessSubject` that a record must supply, or that cannot be supplied after the fact.
 */
function lazyFacts(codec: ReplayParts['codec'], transaction: DecodedTransaction) {
  let json: unknown;
  return {
    transactionJson: () => (json ??= codec.transactionJson(transaction)),
    readArguments: () => Promise.reject(new AccessUndecided(ARGUMENTS)),
    readBalanceChanges: () => Promise.reject(new AccessUndecided(CHANGES)),
    header: (): never => {
      throw new AccessUndecided(HEADER);
    },
  };
}

/** Decides about recorded traffic by the proposed rules beside the rules in force, in the order of time. */
export class TrafficReplay {
  readonly #inForce: ReplayedRules;
  readonly #proposed: ReplayedRules;
  readonly #tally = new ReplayTally();
  #sponsorships = 0;
  #refusals = 0;

  /** Throws `Error` for a token whose rule set the proposed rules lack. */
  constructor(private readonly parts: ReplayParts) {
    const { inForce, proposed, tokens } = parts;
    for (const [name, { ruleSet }] of tokens) {
      if (ruleSet === null || proposed.ruleSets.has(ruleSet)) continue;
      throw new Error(`token ${name} names the rule set ${ruleSet}, which the rules do not define`);
    }
    this.#inForce = new ReplayedRules(inForce, parts);
    this.#proposed = new ReplayedRules(proposed, parts);
  }

  async add(record: TrafficRecord): Promise<void> {
    const facts = readDecisionFacts(record.facts);
    const isReservation = record.digest === null;
    const transaction = facts && isReservation ? null : this.decode(record);
    if (facts === null || (transaction === null && !isReservation)) {
      if (record.refusal === null) this.#sponsorships += 1;
      else this.#refusals += 1;
      return;
    }
    const subject = transaction && subjectOf(this.parts.codec, record, facts, transaction);
    const decide = (rules: ReplayedRules) =>
      subject === null ? rules.decideReservation(record, facts) : rules.decide(record, subject);
    this.#tally.add({
      record,
      inForce: await decide(this.#inForce),
      proposed: await decide(this.#proposed),
      sender: transaction?.sender ?? null,
      largestCost: facts.largestCost,
      functions: transaction === null ? [] : functionsOf(transaction),
    });
  }

  report(): DecidedReport {
    return this.#tally.report();
  }

  /** Records that cannot be decided about. */
  get skipped(): { readonly sponsorships: number; readonly refusals: number } {
    return { sponsorships: this.#sponsorships, refusals: this.#refusals };
  }

  /** Null: the bytes were not kept, or this release cannot decode them. */
  private decode({ transaction }: TrafficRecord): DecodedTransaction | null {
    if (transaction === null) return null;
    try {
      return this.parts.codec.decodeTransaction(Buffer.from(transaction, 'base64'));
    } catch {
      return null;
    }
  }
}

function subjectOf(
  codec: ReplayParts['codec'],
  record: TrafficRecord,
  facts: DecisionFacts,
  transaction: DecodedTransaction,
): AccessSubject {
  const { token, at, reservation_id: id, transaction: txBytes } = record;
  const { gasBudget, durationSecs } = facts;
  return {
    ...lazyFacts(codec, transaction),
    ...facts,
    caller: token,
    reservation: { gasBudget, durationSecs },
    time: new Date(at),
    sponsor: transaction.gasOwner,
    transaction,
    reservationId: id ?? 0,
    txBytes: txBytes ?? '',
    userSig: '',
  };
}

function functionsOf({ moveCalls }: DecodedTransaction): string[] {
  return [
    ...new Set(moveCalls.map((call) => `${call.packageId}::${call.module}::${call.function}`)),
  ];
}
