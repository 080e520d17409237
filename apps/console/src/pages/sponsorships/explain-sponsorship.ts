import { explainError } from '../../api/explain-error.js';
import type { SponsorshipSummary } from '../../api/gateway-types.js';
import type { Tone } from '../../elements/badge.js';

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
      return outcome === 'failure' ? ['Failed', 'bad'] : ['Succeeded', 'good'];
    case 'executing':
      return ['Executing', 'accent'];
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

/** The cause of the state and the remedy; of a refused one that of its last refusal. `reason`: the ledger's, of a quarantine. */
export function explainSponsorship(
  sponsorship: Explained,
  reason: string | null = null,
): SponsorshipExplanation {
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
      cause: `${describeQuarantine(reason)} Its coins stay bound, so that they are not spent twice.`,
      remedy: `${reason === null ? '' : `${explainError('REFUSED_BY_LEDGER', reason).remedy} `}The quarantine ends by itself when the ledger excludes the transaction, at the latest with the epoch.`,
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
  return `${explainError('REFUSED_BY_LEDGER', reason).cause} The ledger’s text: “${reason}”.`;
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
  if (/Insufficient ?Gas/i.test(failure)) {
    return {
      title,
      cause: `Its gas budget was used up. ${paid}`,
      remedy: 'Raise the budget; POST /v1/dry_run_tx suggests one.',
    };
  }
  return {
    title,
    cause: `The ledger’s text is below. ${paid}`,
    remedy: 'Correct the transaction. A dry run before signing finds this without cost.',
  };
}
