import { type FormEvent, useEffect, useState } from 'react';
import { Button } from '../../elements/button.js';
import { Choice, TextInput } from '../../elements/fields.js';
import { periodOptions } from './list-periods.js';
import type { SponsorshipSearch } from './sponsorship-search.js';

const statuses = {
  '': 'Any state',
  reserved: 'Reserved',
  executing: 'Executing',
  quarantined: 'Quarantined',
  executed: 'Executed',
  expired: 'Expired',
  released: 'Released',
};
const outcomes = { '': 'Any outcome', success: 'Success', failure: 'Failure' };

/** The search box and the filters of the list. Choices apply at once, texts with Enter. */
export function SponsorshipFiltersBar({
  search,
  onChange,
}: {
  readonly search: SponsorshipSearch;
  readonly onChange: (search: SponsorshipSearch) => void;
}) {
  const [texts, setTexts] = useState({ q: '', package: '', error: '' });
  const { q = '', package: packageId = '', error = '' } = search;
  useEffect(() => setTexts({ q, package: packageId, error }), [q, packageId, error]);

  const apply = (over: SponsorshipSearch) => {
    const next = Object.entries({ ...search, ...texts, ...over }).filter(([, value]) => value);
    onChange(Object.fromEntries(next));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply({});
  };
  const text = (name: keyof typeof texts) => ({
    value: texts[name],
    onChange: (event: { readonly target: { readonly value: string } }) =>
      setTexts({ ...texts, [name]: event.target.value }),
  });
  return (
    <form
      role="search"
      onSubmit={submit}
      className="grid grid-cols-2 gap-2 border-b border-line p-3 md:grid-cols-[minmax(14rem,2fr)_repeat(3,minmax(8rem,1fr))] xl:grid-cols-[minmax(18rem,2fr)_repeat(5,minmax(8rem,1fr))_auto]"
    >
      <div className="max-md:col-span-2">
        <TextInput
          label="Search"
          hideLabel
          type="search"
          placeholder="Digest, reservation, sender, function or token"
          {...text('q')}
        />
      </div>
      <Choice
        label="Time"
        hideLabel
        options={periodOptions(search.period)}
        value={search.period ?? ''}
        onChoose={(period) => apply({ period })}
      />
      <Choice
        label="State"
        hideLabel
        options={statuses}
        value={search.status ?? ''}
        onChoose={(status) => apply({ status })}
      />
      <Choice
        label="Outcome"
        hideLabel
        options={outcomes}
        value={search.outcome ?? ''}
        onChoose={(outcome) => apply({ outcome })}
      />
      <TextInput label="Package" hideLabel placeholder="Package 0x…" {...text('package')} />
      <TextInput label="Error code" hideLabel placeholder="Error code" {...text('error')} />
      <div className="flex gap-2">
        <Button type="submit">Search</Button>
        {Object.keys(search).length > 0 && (
          <Button look="quiet" onClick={() => onChange({})}>
            Clear
          </Button>
        )}
      </div>
    </form>
  );
}
