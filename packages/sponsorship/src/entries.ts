import {
  type EndedSponsorship,
  endedStatuses,
  HISTORY_ENTRY_VERSION,
  type RebuiltSponsorship,
  rebuildCauses,
  type RefusedRequest,
  reservationStates,
  type StoredSponsorship,
  type UnexplainedGas,
} from '@forecourt/contracts';
import { InvalidEntry } from './invalid-entry.js';
import { EntryTooNew } from './entry-too-new.js';

type Patterns<Entry> = Readonly<Record<keyof Entry, RegExp>>;

const TEXT = /^/;
const NAME = /./;
const NATURAL = /^\d{1,15}$|^[0-8]\d{15}$/;
const AMOUNT = /^\d+$/;

const oneOf = (names: readonly string[]) => new RegExp(`^(${names.join('|')})$`);

const storedSponsorship: Patterns<StoredSponsorship> = {
  id: NATURAL,
  state: oneOf(reservationStates),
  ended: /^(\d{1,15})?$/,
  caller: NAME,
  budget: AMOUNT,
  sum: AMOUNT,
  coins: TEXT,
  digest: TEXT,
  transaction: TEXT,
  rule: TEXT,
  executor: TEXT,
  result: TEXT,
  counted: /^(-?\d+)?$/,
  trail: TEXT,
};

const endedSponsorship: Patterns<EndedSponsorship> = {
  ...storedSponsorship,
  v: NATURAL,
  state: oneOf(endedStatuses),
  ended: NATURAL,
};

const ofRebuilt = { v: NATURAL, cause: oneOf(rebuildCauses) };

const rebuiltSponsorship: Patterns<RebuiltSponsorship> = {
  ...endedSponsorship,
  ...ofRebuilt,
  // Lost with its reservation.
  caller: TEXT,
  state: oneOf(['executed']),
  digest: NAME,
  result: NAME,
  sender: NAME,
  commands: NAME,
};

const unexplainedGas: Patterns<UnexplainedGas> = {
  ...ofRebuilt,
  unexplained: /^-?\d+$/,
  at: /^\d{1,15}$/,
};

const refusedRequest: Patterns<RefusedRequest> = {
  v: NATURAL,
  at: NATURAL,
  route: NAME,
  token: NAME,
  user: TEXT,
  sender: TEXT,
  sponsor: TEXT,
  status: /^\d{3}$/,
  code: NAME,
  message: TEXT,
  rule: TEXT,
  digest: TEXT,
  reservation: /^\d{0,16}$/,
  request: TEXT,
  transaction: TEXT,
  facts: TEXT,
};

/**
 * Reads an entry of a sponsor's stream: flat pairs of field and text. Throws `EntryTooNew`, which the reader
 * leaves to a newer release, and `InvalidEntry`.
 */
export function readEndedSponsorship(pairs: readonly string[]): EndedSponsorship {
  return readEntry<EndedSponsorship>(pairs, endedSponsorship);
}

/**
 * Reads an entry of the stream of transactions that were found on the ledger; `unexplained` distinguishes its
 * two forms. Throws `EntryTooNew` and `InvalidEntry`.
 */
export function readRebuilt(pairs: readonly string[]): RebuiltSponsorship | UnexplainedGas {
  return pairs.includes('unexplained')
    ? readEntry<UnexplainedGas>(pairs, unexplainedGas)
    : readEntry<RebuiltSponsorship>(pairs, rebuiltSponsorship);
}

/** Reads an entry of the stream of refused requests. Throws `EntryTooNew` and `InvalidEntry`. */
export function readRefusedRequest(pairs: readonly string[]): RefusedRequest {
  return readEntry<RefusedRequest>(pairs, refusedRequest);
}

function readEntry<Entry extends object>(
  pairs: readonly string[],
  patterns: Patterns<Entry>,
): Entry {
  const fields = new Map<string, string>();
  for (let i = 0; i + 1 < pairs.length; i += 2) fields.set(pairs[i]!, pairs[i + 1]!);
  const version = Number(fields.get('v'));
  if (version > HISTORY_ENTRY_VERSION) throw new EntryTooNew(version);
  const entries = Object.entries<RegExp>(patterns).map(([field, pattern]) => {
    const stored = fields.get(field) ?? '';
    if (!pattern.test(stored)) throw new InvalidEntry(field, stored);
    return [field, stored];
  });
  return Object.fromEntries(entries) as Entry;
}
