import { useQuery } from '@tanstack/react-query';
import { sponsorsQuery } from '../../api/queries.js';
import { Choice, optionsOf } from '../../elements/fields.js';
import { shorten } from '../../format/identifiers.js';

/** A filter by one of the fleet's sponsors; for those who may read all. An empty text: any sponsor. */
export function SponsorChoice({
  value,
  onChoose,
}: {
  readonly value: string;
  readonly onChoose: (sponsor: string) => void;
}) {
  const { data = [] } = useQuery({ ...sponsorsQuery, refetchInterval: false });
  const addresses = data.map(({ sponsor_address: address }) => address).sort();
  const options = Object.entries(optionsOf('Any sponsor', addresses, value));
  return (
    <Choice
      label="Sponsor"
      hideLabel
      options={Object.fromEntries(options.map(([key, name]) => [key, shorten(name, 6)]))}
      value={value}
      onChoose={onChoose}
    />
  );
}
