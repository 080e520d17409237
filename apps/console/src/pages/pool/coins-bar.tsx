import type { FleetSponsor } from '../../generated/gateway-types.js';
import { Coins } from '../../elements/facts.js';
import { Hint } from '../../elements/hint.js';
import { countGasCoins, shareOf } from '../../format/amounts.js';
import { explainCoins } from './sponsor-states.js';

/** The states of coins: those that can be given out first, those that cannot last. */
const states: readonly (readonly [state: string, name: string, colour: string])[] = [
  ['available', 'Available', 'bg-good'],
  ['treasury', 'Treasury', 'bg-[#86b6a8]'],
  ['reserved', 'Reserved', 'bg-[#7c8cd6]'],
  ['claimed', 'Claimed', 'bg-[#a78bd0]'],
  ['executing', 'Executing', 'bg-[#c77fb8]'],
  ['in-flight', 'In flight', 'bg-[#c77fb8]'],
  ['quarantined', 'Quarantined', 'bg-warn'],
  ['maintenance', 'Maintenance', 'bg-[#8fb5c4]'],
  ['dust', 'Dust', 'bg-strong'],
];

/**
 * All coins of a sponsor as one bar, by state: by their number, because a few large ones of the treasury hold
 * most of the value. States without coins are left out.
 */
export function CoinsBar({ coins }: { readonly coins: FleetSponsor['coins'] }) {
  const known = new Set(states.map(([state]) => state));
  const others = Object.keys(coins).filter((state) => !known.has(state));
  const parts = [...states, ...others.map((state) => [state, state, 'bg-strong'] as const)].filter(
    ([state]) => (coins[state]?.coins ?? 0) > 0,
  );
  const total = Object.values(coins).reduce((sum, { coins: count }) => sum + BigInt(count), 0n);
  if (total === 0n) return <p className="text-soft">No gas coins.</p>;
  return (
    <div className="min-w-0">
      <div aria-hidden="true" className="flex h-3 gap-px overflow-hidden rounded-full bg-sunken">
        {parts.map(([state, , colour]) => {
          const share = shareOf(BigInt(coins[state]!.coins), total);
          return share === 0 ? null : (
            <div key={state} className={`${colour} min-w-1`} style={{ width: `${share * 100}%` }} />
          );
        })}
      </div>
      <ul className="mt-3 grid grid-cols-2 gap-x-6 gap-y-2 md:grid-cols-3 xl:grid-cols-4">
        {parts.map(([state, name, colour]) => (
          <li key={state} className="min-w-0">
            <p className="flex items-center gap-1.5 text-xs text-soft">
              <span aria-hidden="true" className={`size-2 rounded-sm ${colour}`} />
              <Hint text={explainCoins(state)}>{name}</Hint>
            </p>
            <p>
              <Coins amount={coins[state]!.balance} />{' '}
              <span className="figures text-xs text-soft">
                in {countGasCoins(coins[state]!.coins)}
              </span>
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
