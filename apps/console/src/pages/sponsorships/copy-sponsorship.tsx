import { useState } from 'react';
import type { WholeSponsorship } from '../../generated/gateway-types.js';
import { Button } from '../../elements/button.js';
import { Check, Copy } from '../../elements/icons.js';

const forms = {
  link: ['Copy link', ({ reservation_id: id }) => `${location.origin}/console/sponsorships/${id}`],
  json: ['Copy JSON', (sponsorship) => JSON.stringify(sponsorship, null, 2)],
  curl: ['Copy curl', ({ reservation_id: id }) => curlOf(id, location.origin)],
} as const satisfies Readonly<
  Record<string, readonly [name: string, text: (sponsorship: WholeSponsorship) => string]>
>;

/** The request of a sponsorship, for a shell that has the token in `TOKEN`: the console shows no token. */
function curlOf(id: number, origin: string): string {
  return `curl -H "authorization: Bearer $TOKEN" '${origin}/v1/sponsorships/${id}'`;
}

/** Copies the sponsorship for somebody else: as a link, as JSON, or as the request that returns it. */
export function CopySponsorship({ sponsorship }: { readonly sponsorship: WholeSponsorship }) {
  const [copied, setCopied] = useState<keyof typeof forms | null>(null);
  const copy = async (form: keyof typeof forms) => {
    await navigator.clipboard.writeText(forms[form][1](sponsorship));
    setCopied(form);
    setTimeout(() => setCopied(null), 1_500);
  };
  return (Object.keys(forms) as (keyof typeof forms)[]).map((form) => (
    <Button key={form} onClick={() => void copy(form)}>
      {copied === form ? <Check /> : <Copy />}
      {forms[form][0]}
    </Button>
  ));
}
