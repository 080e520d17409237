import type { StoredEventRecord } from '@forecourt/client';
import { digestInBase58 } from '@forecourt/client/digests';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useCaller } from '../../api/use-caller.js';
import { Identifier } from '../../elements/facts.js';
import { External } from '../../elements/icons.js';
import { groupByTransaction } from './event-filter.js';
import { EventList } from './event-list.js';

/** Events below the transactions that made them, each with its sponsorship and its page of the explorer. */
export function TransactionEventsList({
  records,
}: {
  readonly records: readonly StoredEventRecord[];
}) {
  const groups = useMemo(() => groupByTransaction(records), [records]);
  return (
    <ul>
      {groups.map(({ txDigest, records: own }) => (
        <li
          key={`${txDigest} ${own[0]!.id.eventSeq}`}
          className="border-b border-line last:border-0"
        >
          <TransactionLine digest={digestInBase58(txDigest)} />
          <EventList records={own} />
        </li>
      ))}
    </ul>
  );
}

function TransactionLine({ digest }: { readonly digest: string }) {
  const { explorer_url: explorer } = useCaller();
  const link = 'inline-flex items-center gap-1 text-accent underline-offset-2 hover:underline';
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-sunken/40 px-4 py-1.5">
      <span className="text-soft">Transaction</span>
      <Identifier id={digest} whole />
      <Link to="/sponsorships" search={{ q: digest }} className={link}>
        Sponsorship
      </Link>
      {explorer !== null && (
        <a
          href={explorer.replace('{digest}', encodeURIComponent(digest))}
          target="_blank"
          rel="noreferrer"
          className={link}
        >
          Explorer <External />
        </a>
      )}
    </p>
  );
}
