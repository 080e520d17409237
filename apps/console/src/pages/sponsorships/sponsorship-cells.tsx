import { Link } from '@tanstack/react-router';
import type { SponsorshipSummary } from '../../generated/gateway-types.js';
import { Badge } from '../../elements/badge.js';
import { Coins, Moment } from '../../elements/facts.js';
import { readCommand, shortenFunction } from '../../format/identifiers.js';
import { labelOf } from './explain-sponsorship.js';

interface Cell {
  readonly of: SponsorshipSummary;
}

/** The state of a sponsorship, in one word. */
export function State({ of }: Cell) {
  const [label, tone] = labelOf(of);
  return <Badge tone={tone}>{label}</Badge>;
}

/** The first call and the number of commands that follow; a link to the page of the sponsorship. */
export function Calls({ of: { reservation_id: id, commands } }: Cell) {
  const [first, ...more] = commands;
  return (
    <Link
      to="/sponsorships/$id"
      params={{ id: String(id) }}
      className="row-link font-medium hover:underline"
      title={commands.join('\n')}
    >
      {first === undefined ? (
        <span className="font-normal text-soft">no transaction</span>
      ) : (
        nameOf(first)
      )}
      {more.length > 0 && <span className="text-soft"> +{more.length}</span>}
    </Link>
  );
}

/** The facts of a row for which a phone has no columns. */
export function Rest({ of: { created_at: createdAt, token, gas } }: Cell) {
  return (
    <span className="block truncate text-2xs text-soft md:hidden">
      <Moment at={createdAt} /> · {token}
      {gas !== null && (
        <>
          {' · '}
          <Coins amount={gas.net} />
        </>
      )}
    </span>
  );
}

function nameOf(command: string): string {
  const { kind, name } = readCommand(command);
  return name === '' ? kind : shortenFunction(name);
}
