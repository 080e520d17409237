import { useQuery } from '@tanstack/react-query';
import { sponsorsQuery } from '../../api/queries.js';
import { useCaller } from '../../api/use-caller.js';
import { Choice, optionsOf } from '../../elements/fields.js';
import { shorten } from '../../format/identifiers.js';
import { partSponsors } from '../pool/sponsor-states.js';

interface Chosen {
  readonly value: string;
  readonly onChoose: (sponsor: string) => void;
}

/** A filter by one of the fleet's sponsors; for those who may read all. An empty text: any sponsor. */
export function SponsorChoice(chosen: Chosen) {
  const { data = [] } = useQuery({ ...sponsorsQuery, refetchInterval: false });
  const addresses = data.map(({ sponsor_address: address }) => address).sort();
  return <AddressChoice {...chosen} none="Any sponsor" addresses={addresses} />;
}

/**
 * Whose budgets are shown: a choice where several sponsors are in use, for those who may read all. An empty
 * text: the sponsor that pays where none is chosen.
 */
export function BudgetSponsorChoice(chosen: Chosen) {
  const { may } = useCaller();
  const sponsors = { ...sponsorsQuery, refetchInterval: false, enabled: may.reads } as const;
  const { inUse } = partSponsors(useQuery(sponsors).data ?? []);
  if (inUse.length < 2) return null;
  const addresses = inUse.map(({ sponsor_address: address }) => address);
  return <AddressChoice {...chosen} none="Default sponsor" addresses={addresses} />;
}

function AddressChoice({
  value,
  onChoose,
  none,
  addresses,
}: Chosen & { readonly none: string; readonly addresses: readonly string[] }) {
  const options = Object.entries(optionsOf(none, addresses, value));
  return (
    <Choice
      label="Sponsor"
      hideLabel
      options={Object.fromEntries(
        options.map(([key, name]) => [key, key === '' ? name : shorten(name, 6)]),
      )}
      value={value}
      onChoose={onChoose}
    />
  );
}
