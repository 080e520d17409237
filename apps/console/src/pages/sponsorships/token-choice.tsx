import { useQuery } from '@tanstack/react-query';
import { accessQuery } from '../../api/queries.js';
import { Choice, optionsOf } from '../../elements/fields.js';

/** A filter by one of the configured tokens; for those who may read all. An empty text: any token. */
export function TokenChoice({
  value,
  onChoose,
}: {
  readonly value: string;
  readonly onChoose: (token: string) => void;
}) {
  const { data } = useQuery(accessQuery);
  const names = (data?.tokens ?? []).map(({ name }) => name).sort();
  return (
    <Choice
      label="Token"
      hideLabel
      options={optionsOf('Any token', names, value)}
      value={value}
      onChoose={onChoose}
    />
  );
}
