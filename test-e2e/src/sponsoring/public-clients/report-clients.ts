import { markdownTable } from '../../support/markdown-table.js';
import { reportHeading } from '../../support/report-heading.js';

/** Where a client was tried: a port, and the form of coins' versions at the compatibility port. */
const stations = ['main', 'integer', 'string'] as const;
export type Station = (typeof stations)[number];

/** Result of a client at each port: null when its transaction landed, otherwise the reason why not. */
export interface TriedClient {
  readonly name: string;
  readonly kind: 'published' | 'recorded';
  /** Why it is not installed; then it was tried nowhere. */
  readonly missing: string | null;
  readonly outcomes: Readonly<Partial<Record<Station, string | null>>>;
  /** Where it must work. */
  readonly expected: readonly Station[];
  readonly limitation?: string | undefined;
}

const TITLES: Readonly<Record<Station, string>> = {
  main: 'main port',
  integer: 'compatibility port',
  string: 'compatibility port, versions as strings',
};

/** A sentence for each client that was not tried, or works elsewhere than it must. */
export function problemsOf(clients: readonly TriedClient[]): readonly string[] {
  return clients.flatMap(({ name, missing, outcomes, expected }) => {
    if (missing !== null) return [`${name} is not installed: ${missing}`];
    return stations
      .filter((station) => (outcomes[station] === null) !== expected.includes(station))
      .map((station) => {
        const outcome = outcomes[station];
        const found = outcome === null ? 'works, which is not expected' : `fails: ${outcome}`;
        return `${name} at the ${TITLES[station]} ${found}`;
      });
  });
}

/** The table for people, as Markdown. */
export function reportClients(clients: readonly TriedClient[], command: string): string {
  const rows = clients.map(({ name, kind, missing, outcomes, limitation }) => [
    name,
    missing === null ? kind : 'not installed',
    ...stations.map((station) => cellOf(outcomes[station], missing)),
    limitation ?? '',
  ]);
  const reasons = clients.flatMap(({ name, missing, outcomes }) => [
    ...(missing === null ? [] : [`- ${name}: not installed: ${missing}`]),
    ...stations
      .filter((station) => typeof outcomes[station] === 'string')
      .map((station) => `- ${name}, ${TITLES[station]}: ${outcomes[station]}`),
  ]);
  return [
    ...reportHeading('Public clients', command),
    'Published clients run their own code; of the others, the requests are repeated. A client works when its transaction is on the ledger.',
    '',
    ...markdownTable(
      ['client', 'kind', ...stations.map((station) => TITLES[station]), 'limitation'],
      rows,
    ),
    '',
    '## Why not',
    '',
    ...reasons,
    '',
  ].join('\n');
}

function cellOf(outcome: string | null | undefined, missing: string | null): string {
  if (missing !== null) return 'not tried';
  return outcome === null ? 'works' : 'fails';
}
