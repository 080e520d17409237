import { Check, Copy } from './icons.js';
import { type ReactNode, useState } from 'react';
import { useCaller } from '../api/use-caller.js';
import { formatCoins, formatCoinsShort, formatUnits } from '../format/amounts.js';
import { shorten } from '../format/identifiers.js';
import { formatAge, formatTime, formatUtc } from '../format/times.js';

/** An instant in local time; UTC on hover. */
export function Moment({ at, age = false }: { readonly at: number; readonly age?: boolean }) {
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={formatUtc(at)}
      className="figures whitespace-nowrap"
    >
      {age ? formatAge(at) : formatTime(at)}
    </time>
  );
}

/** An amount in the ledger’s currency; all digits and the smallest unit on hover. */
export function Coins({
  amount,
  exact = false,
}: {
  readonly amount: string;
  readonly exact?: boolean;
}) {
  const { currency } = useCaller();
  const title = `${formatCoins(amount)} ${currency}: ${formatUnits(amount)} of the smallest unit`;
  return (
    <span className="figures whitespace-nowrap" title={title}>
      {exact ? formatCoins(amount) : formatCoinsShort(amount)} {currency}
    </span>
  );
}

/** A long identifier, shortened, with a button that copies all of it. */
export function Identifier({
  id,
  kept = 4,
  whole = false,
}: {
  readonly id: string;
  readonly kept?: number;
  readonly whole?: boolean;
}) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(id);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <span className="group/id inline-flex max-w-full items-center gap-1">
      <code className={`font-mono text-xs ${whole ? 'break-all' : 'whitespace-nowrap'}`} title={id}>
        {whole ? id : shorten(id, kept)}
      </code>
      <button
        type="button"
        aria-label={copied ? 'Copied' : `Copy ${id}`}
        onClick={() => void copy()}
        className="rounded p-0.5 text-soft opacity-0 group-hover/id:opacity-100 hover:text-text focus-visible:opacity-100 max-md:p-1.5 max-md:opacity-100 pointer-coarse:opacity-100"
      >
        {copied ? <Check /> : <Copy />}
      </button>
    </span>
  );
}

/** Names and values, one below the other. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className="grid grid-cols-[minmax(7rem,auto)_1fr] gap-x-6 gap-y-2">{children}</dl>;
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

/** Stands for a value that does not exist. */
export const NONE = <span className="text-soft">–</span>;
