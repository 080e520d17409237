import type { FleetSponsor } from '../../generated/gateway-types.js';
import { Coins } from '../../elements/facts.js';
import { PlainTable } from '../../elements/plain-table.js';
import { groupDigits } from '../../format/amounts.js';

type Sizes = NonNullable<FleetSponsor['sizes']>;

/** Available coins by balance. A large budget needs a coin of its size, however many small ones there are. */
export function CoinSizes({ sizes }: { readonly sizes: Sizes }) {
  if (sizes.length === 0) return null;
  return (
    <div className="mt-4 rounded-md border border-line">
      <PlainTable
        label="Available coins by balance"
        rows={sizes}
        keyOf={({ at_least: least }) => least}
        columns={[
          {
            name: 'Balance of an available coin',
            render: ({ at_least: least }) => (
              <>
                <Coins amount={least} /> to <Coins amount={String(2n * BigInt(least))} />
              </>
            ),
          },
          { name: 'Gas coins', numeric: true, render: ({ coins }) => groupDigits(String(coins)) },
        ]}
      />
    </div>
  );
}
