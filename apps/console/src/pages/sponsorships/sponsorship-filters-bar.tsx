import { type FormEvent, useEffect, useState } from 'react';
import { refusalCodes } from '../../api/explain-error.js';
import { useCaller } from '../../api/use-caller.js';
import { Button } from '../../elements/button.js';
import { Choice, optionsOf, TextInput } from '../../elements/fields.js';
import { periodOptions } from './list-periods.js';
import { SponsorChoice } from './sponsor-choice.js';
import type { SponsorshipSearch } from './sponsorship-search.js';
import { TokenChoice } from './token-choice.js';

const states = {
  '': 'Any state',
  executed: 'Executed',
  failed: 'Failed',
  refused: 'Refused',
  quarantined: 'Quarantined',
  in_flight: 'In flight',
  reserved: 'Reserved',
  expired: 'Expired',
  released: 'Released',
};

/** The search box and the filters of the list. Choices apply at once, texts with Enter. */
export function SponsorshipFiltersBar({
  search,
  onChange,
}: {
  readonly search: SponsorshipSearch;
  readonly onChange: (search: SponsorshipSearch) => void;
}) {
  const [texts, setTexts] = useState({ q: '', package: '' });
  const { q = '', package: packageId = '', error = '' } = search;
  const { may } = useCaller();
  useEffect(() => setTexts({ q, package: packageId }), [q, packageId]);

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
      className="grid grid-cols-2 gap-2 border-b border-line p-3 md:grid-cols-4 xl:grid-cols-5"
    >
      <div className="col-span-2">
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
        options={states}
        value={search.state ?? ''}
        onChoose={(state) => apply({ state })}
      />
      <Choice
        label="Refused with"
        hideLabel
        options={optionsOf('Any refusal', refusalCodes, error)}
        value={error}
        onChoose={(code) => apply({ error: code })}
      />
      {may.reads && (
        <>
          <TokenChoice value={search.token ?? ''} onChoose={(token) => apply({ token })} />
          <SponsorChoice value={search.sponsor ?? ''} onChoose={(sponsor) => apply({ sponsor })} />
        </>
      )}
      <TextInput label="Package" hideLabel placeholder="Package 0x…" {...text('package')} />
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
