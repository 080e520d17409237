import type { BudgetUse } from '../../generated/gateway-types.js';
import { Coins, Moment } from '../../elements/facts.js';
import { shareOf } from '../../format/amounts.js';

const WARN = 0.8;
/** Parts of a budget that webhooks announce too. */
const THRESHOLDS = [0.5, WARN];

/** A bar for each budget: what is used and left of it, and when it resets. */
export function BudgetBars({ budgets }: { readonly budgets: readonly BudgetUse[] }) {
  return (
    <ul className="flex flex-col gap-2.5">
      {budgets.map((budget) => (
        <BudgetBar key={budget.limit} budget={budget} />
      ))}
    </ul>
  );
}

function BudgetBar({ budget }: { readonly budget: BudgetUse }) {
  const { limit, most, used, left, resets_at: resetsAt } = budget;
  const share = Math.min(1, shareOf(BigInt(used), BigInt(most)));
  const percent = Math.round(share * 100);
  const colour = share >= 1 ? 'bg-bad' : share >= WARN ? 'bg-warn' : 'bg-accent';
  return (
    <li className="flex min-w-44 flex-col gap-1">
      <span>{limit}</span>
      <span
        role="meter"
        aria-label={limit}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={`${percent} % used`}
        className="relative block h-1.5 overflow-hidden rounded-full bg-sunken"
      >
        <span
          className={`block h-full rounded-full ${colour} ${used === '0' ? '' : 'min-w-1'}`}
          style={{ width: `${share * 100}%` }}
        />
        {THRESHOLDS.map((threshold) => (
          <span
            key={threshold}
            className="absolute inset-y-0 w-0.5 bg-surface"
            style={{ left: `${threshold * 100}%` }}
          />
        ))}
      </span>
      <span className="text-xs text-soft">
        <Coins amount={used} /> used, <Coins amount={left} /> left
        {resetsAt !== null && (
          <>
            , resets <Moment at={resetsAt} />
          </>
        )}
      </span>
    </li>
  );
}
