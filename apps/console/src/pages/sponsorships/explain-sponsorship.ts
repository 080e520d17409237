import { explainError } from '../../api/explain-error.js';
import type { SponsorshipSummary } from '../../generated/gateway-types.js';
import type { Tone } from '../../elements/badge.js';
import { readCommand } from '../../format/identifiers.js';

/** A sponsorship in plain words. */
export interface SponsorshipExplanation {
  readonly title: string;
  readonly cause: string;
  readonly remedy: string;
}

type Explained = Pick<SponsorshipSummary, 'status' | 'outcome' | 'failure' | 'refusals'>;

/** The state in one word, with its colour. */
export function labelOf({ status, outcome, refusals }: Explained): readonly [string, Tone] {
  switch (status) {
    case 'executed':
      return outcome === 'failure' ? ['Failed', 'bad'] : ['Executed', 'good'];
    case 'executing':
      return ['In flight', 'accent'];
    case 'quarantined':
      return ['Quarantined', 'warn'];
    case 'reserved':
      return refusals.length > 0 ? ['Refused, open', 'warn'] : ['Reserved', 'accent'];
    case 'expired':
      return refusals.length > 0 ? ['Refused', 'bad'] : ['Expired', 'neutral'];
    case 'released':
      return refusals.length > 0 ? ['Refused', 'bad'] : ['Released', 'neutral'];
  }
}

/** The title of a sponsorship: its state, and the first call without its package. */
export function titleOf(
  sponsorship: Explained & Pick<SponsorshipSummary, 'commands' | 'reservation_id'>,
): string {
  const { commands, reservation_id: id } = sponsorship;
  const [label] = labelOf(sponsorship);
  const read = commands.map(readCommand);
  const first = read.find(({ name }) => name.includes('::')) ?? read[0];
  if (first === undefined) return `${label}: reservation ${id}`;
  const name = first.name.includes('::') ? first.name.split('::').slice(1).join('::') : first.kind;
  return `${label}: ${name}${commands.length > 1 ? ` +${commands.length - 1}` : ''}`;
}

/** The cause of the state and the remedy; of a refused one that of its last refusal. */
export function explainSponsorship(sponsorship: Explained): SponsorshipExplanation {
  const { status, outcome, failure, refusals } = sponsorship;
  const last = refusals.at(-1);
  if (status === 'executed' && outcome === 'failure') return explainFailure(failure ?? '');
  if (status === 'executed') {
    return {
      title: 'The ledger executed the transaction',
      cause: 'Its effects are final, and the sponsor has paid the gas.',
      remedy: 'Nothing needs to be done.',
    };
  }
  if (status === 'quarantined') {
    return {
      title: 'The transaction was not executed, but may still be',
      cause: `${describeQuarantine(failure)} Its coins stay bound, so that they are not spent twice.`,
      remedy: `${failure === null ? '' : `${explainError('REFUSED_BY_LEDGER', failure).remedy} `}The quarantine ends by itself when the ledger excludes the transaction, at the latest with the epoch.`,
    };
  }
  if (status === 'executing') {
    return {
      title: 'The transaction is on its way',
      cause: 'An executor signs and submits it, or waits for the node.',
      remedy: 'Wait. Repeating the call is safe and returns the same outcome.',
    };
  }
  if (last !== undefined) {
    const { cause, remedy } = explainError(last.code, last.message);
    return { title: 'The transaction was refused', cause, remedy };
  }
  return explainUnused(status);
}

function describeQuarantine(reason: string | null): string {
  if (reason === null) return 'The ledger has neither executed nor excluded it so far.';
  return `${explainError('REFUSED_BY_LEDGER', reason).cause} The ledger’s text is below.`;
}

function explainUnused(status: 'reserved' | 'expired' | 'released'): SponsorshipExplanation {
  switch (status) {
    case 'reserved':
      return {
        title: 'No transaction has used the reservation yet',
        cause: 'The application has reserved gas, and its user has yet to sign.',
        remedy: 'Execute before the deadline, or release the reservation.',
      };
    case 'expired':
      return {
        title: 'The reservation was never used',
        cause: 'The deadline passed without a transaction. Nothing was spent.',
        remedy: 'If users need longer to sign, reserve for a longer time.',
      };
    case 'released':
      return {
        title: 'The application gave the reservation back',
        cause: 'No transaction has used it. Nothing was spent.',
        remedy: 'Nothing needs to be done.',
      };
  }
}

/** A Move abort in the words of nodes until 2025, of nodes since, and of nodes since that simulate. */
const ABORTS = [
  /MoveAbort\(.*?Identifier\("(?<module>\w+)"\).*?(?:function_name: Some\("(?<name>\w+)"\).*?)?}, (?<code>\d+)\)/,
  /from '0x\w+::(?<module>\w+)(?:::(?<name>\w+))?' .*?abort (?:code: (?<code>\d+)|(?<constant>'\w+'))/,
  /Runtime Abort\. Location: \w+::(?<module>\w+)(?:::(?<name>\w+))? .*?Abort Code: (?<code>\d+)/,
];

/** Failures of executed transactions other than aborts, by the node's text. */
const FAILURES: readonly (readonly [text: RegExp, cause: string, remedy: string])[] = [
  [
    /Insufficient ?Gas/i,
    'Its gas budget was used up.',
    'Raise the budget; POST /v1/dry_run_tx suggests one.',
  ],
  [
    /Insufficient ?Coin ?Balance|Coin ?Balance ?Overflow/i,
    'A coin of the user did not hold the amount.',
    'Merge the user’s coins before they are split, or lower the amount.',
  ],
  [
    /Function ?Not ?Found|entry ?point ?not ?found|non-?entry ?function/i,
    'The package has no such function that a transaction may call.',
    'Check the package id and the function; an upgrade may have changed them.',
  ],
  [
    /Command ?Argument ?Error|Type ?Argument ?Error|Type ?Mismatch|Arity ?Mismatch|invalid command argument/i,
    'An argument of a call does not have the type that the function takes.',
    'Compare the arguments with the function’s signature in the package’s present version.',
  ],
  [
    /Shared ?Object ?Congestion/i,
    'Too many transactions used a shared object at once, and the ledger cancelled this one.',
    'Repeat it; a higher gas price is preferred.',
  ],
  [
    /Input ?Object ?Deleted/i,
    'A shared object of the transaction was deleted.',
    'Build the transaction again without it.',
  ],
  [
    /Address ?Denied ?For ?Coin|Coin ?Type ?Global ?Pause|is denied for coin/i,
    'The issuer of a regulated coin denies it to an address, or has paused it.',
    'Ask the issuer of the coin.',
  ],
  [
    /(Move ?Object|Move ?Package|Effects|Written ?Objects) ?Too ?(Big|Large)/i,
    'An object, a package or the effects became larger than the ledger permits.',
    'Split the transaction, or store less in one object.',
  ],
  [
    /Vm ?Verification|Deserialization ?Error|Publish|Package ?Upgrade/i,
    'The ledger does not accept the published package.',
    'Build the package with the compiler of this network, and check its upgrade policy.',
  ],
  [
    /Move ?Primitive ?Runtime|arithmetic error/i,
    'A calculation in Move failed, such as an overflow or a division by zero.',
    'Check the amounts that the transaction passes. A dry run before signing finds this without cost.',
  ],
];

function explainFailure(failure: string): SponsorshipExplanation {
  const title = 'The transaction failed in Move';
  const paid = 'The ledger has charged its gas all the same.';
  const abort = ABORTS.map((form) => form.exec(failure)?.groups).find((groups) => groups);
  if (abort) {
    const { module, name, code, constant } = abort;
    const place = name === undefined ? module : `${module}::${name}`;
    return {
      title,
      cause: `${place} aborted with code ${code ?? constant}. ${paid}`,
      remedy: `Look the code up in the source of the module ${module}. A dry run before signing finds this without cost.`,
    };
  }
  const known = FAILURES.find(([text]) => text.test(failure));
  if (known)
    return { title: 'The transaction failed', cause: `${known[1]} ${paid}`, remedy: known[2] };
  return {
    title,
    cause: `The ledger’s text is below. ${paid}`,
    remedy: 'Correct the transaction. A dry run before signing finds this without cost.',
  };
}
