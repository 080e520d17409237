import type { TrafficRecord } from '@forecourt/contracts';
import type {
  Compared,
  ReplayedOutcome,
  Outcomes,
  ReplayedChange,
  ReplayedExample,
  DecidedReport,
  RulePair,
} from './replay-report.js';

const MOST_EXAMPLES = 100;
/** Of tokens, rules and functions: a refused transaction may name any. */
const MOST_KEYS = 1_000;
const MOST_REASONS = 100;

const RECORDED: Readonly<Record<NonNullable<TrafficRecord['refusal']>, ReplayedOutcome>> = {
  FORBIDDEN: 'deny',
  SIGNATURE_UNSUPPORTED: 'deny',
  GAS_PRICE_TOO_HIGH: 'deny',
  SPENDING_LIMIT: 'limited',
  REQUEST_LIMIT: 'limited',
  ACCESS_UNDECIDED: 'undecided',
};

function recordedOutcome({ refusal }: TrafficRecord): ReplayedOutcome {
  return refusal === null ? 'allow' : RECORDED[refusal];
}

/** Sums of changes by a key, of which `null` stands for those beyond the bound. */
class Sums<Key extends object> {
  readonly #sums = new Map<string, Key & { count: number; gas: bigint; cost: bigint }>();

  constructor(private readonly others: Key) {}

  add(key: Key, { record, largestCost }: Compared, { from, to }: Outcomes): void {
    let name = JSON.stringify([from, to, key]);
    let kept = key;
    if (!this.#sums.has(name) && this.#sums.size >= MOST_KEYS) {
      kept = this.others;
      name = JSON.stringify([from, to, kept]);
    }
    const sum = this.#sums.get(name) ?? { ...kept, from, to, count: 0, gas: 0n, cost: 0n };
    sum.count += 1;
    if (record.refusal === null) sum.gas += BigInt(record.gas);
    else sum.cost += largestCost;
    this.#sums.set(name, sum);
  }

  /** The most frequent first. */
  list(): (Key & ReplayedChange)[] {
    return [...this.#sums.values()]
      .sort((a, b) => b.count - a.count)
      .map(({ gas, cost, ...rest }) => {
        const sum = { ...rest, gas: String(gas), largest_cost: String(cost) };
        return sum as unknown as Key & ReplayedChange;
      });
  }
}

/** Collects what the decisions of a replay show. */
export class ReplayTally {
  #decided = 0;
  #changed = 0;
  #byAnotherRule = 0;
  #unlikeRecorded = 0;
  readonly #changes = new Sums({});
  readonly #byRule = new Sums<RulePair>({
    from_rule: null,
    to_rule: null,
  });
  readonly #byToken = new Sums<{ token: string | null }>({ token: null });
  readonly #byFunction = new Sums<{ function: string | null }>({ function: null });
  readonly #undecided = new Map<string, { in_force: number; proposed: number }>();
  readonly #examples = new Map<string, Outcomes & { readonly data: ReplayedExample[] }>();

  add(compared: Compared): void {
    const { record, inForce, proposed } = compared;
    this.#decided += 1;
    if (inForce.outcome !== recordedOutcome(record)) this.#unlikeRecorded += 1;
    this.noteReason(inForce.reason, 'in_force');
    this.noteReason(proposed.reason, 'proposed');
    const outcomes = { from: inForce.outcome, to: proposed.outcome };
    if (outcomes.from !== outcomes.to) this.addChange(compared, outcomes);
    else if (inForce.rule !== proposed.rule) this.#byAnotherRule += 1;
  }

  report(): DecidedReport {
    return {
      decided: this.#decided,
      changed: this.#changed,
      by_another_rule: this.#byAnotherRule,
      unlike_recorded: this.#unlikeRecorded,
      changes: this.#changes.list(),
      by_rule: this.#byRule.list(),
      by_token: this.#byToken.list(),
      by_function: this.#byFunction.list(),
      undecided: [...this.#undecided].map(([reason, counts]) => ({ reason, ...counts })),
      examples: [...this.#examples.values()],
    };
  }

  private addChange(compared: Compared, outcomes: Outcomes): void {
    const { record, inForce, proposed, functions } = compared;
    this.#changed += 1;
    this.#changes.add({}, compared, outcomes);
    const rules = { from_rule: inForce.rule, to_rule: proposed.rule };
    this.#byRule.add(rules, compared, outcomes);
    this.#byToken.add({ token: record.token }, compared, outcomes);
    for (const name of functions) this.#byFunction.add({ function: name }, compared, outcomes);
    const kind = `${outcomes.from} ${outcomes.to}`;
    const examples = this.#examples.get(kind) ?? { ...outcomes, data: [] };
    this.#examples.set(kind, examples);
    if (examples.data.length < MOST_EXAMPLES) examples.data.push(exampleOf(compared));
  }

  private noteReason(reason: string | null, side: 'in_force' | 'proposed'): void {
    if (reason === null) return;
    const isNew = !this.#undecided.has(reason);
    const name = isNew && this.#undecided.size >= MOST_REASONS ? 'further reasons' : reason;
    const counts = this.#undecided.get(name) ?? { in_force: 0, proposed: 0 };
    counts[side] += 1;
    this.#undecided.set(name, counts);
  }
}

function exampleOf({ record, inForce, proposed, sender }: Compared): ReplayedExample {
  const { at, token, digest, reservation_id: id, refusal, gas } = record;
  return {
    at,
    token,
    sender,
    digest,
    reservation_id: id,
    page: id === null ? null : `/console/sponsorships/${id}`,
    gas: refusal === null ? gas : null,
    recorded: recordedOutcome(record),
    in_force: inForce,
    proposed,
  };
}
