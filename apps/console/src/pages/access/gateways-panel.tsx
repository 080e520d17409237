import { useQuery } from '@tanstack/react-query';
import { fleetQuery } from '../../api/queries.js';
import { Badge } from '../../elements/badge.js';
import { Identifier, Moment } from '../../elements/facts.js';
import { Panel } from '../../elements/panel.js';
import { PlainTable } from '../../elements/plain-table.js';
import { Empty, Loaded } from '../../elements/states.js';
import { describeProblems } from '../../format/problems.js';
import { compareGateways } from './compare-gateways.js';

/**
 * The version of tokens and rules at each gateway: a request is decided by the gateway that it reaches.
 * `shownRules`: the version that the page shows.
 */
export function GatewaysPanel({ shownRules }: { readonly shownRules: string }) {
  const query = useQuery(fleetQuery);
  return (
    <Panel title="Gateways" note="a changed file is in force at every gateway within seconds" flush>
      <Loaded query={query} lines={2}>
        {({ replicas, problems }) => {
          const { gateways, differ } = compareGateways(replicas);
          if (gateways.length === 0)
            return <Empty title="The gateways are unknown">{describeProblems(problems)}</Empty>;
          return (
            <>
              {differ && (
                <p role="alert" className="border-b border-line border-l-4 border-l-warn px-4 py-3">
                  <span className="font-medium">Gateways use different tokens or rules.</span>{' '}
                  <span className="text-soft">
                    Do all gateways have the same files? A file with a mistake is not loaded: GET
                    /v1/reload_access_controller names the gateway and the line.
                  </span>
                </p>
              )}
              <PlainTable
                label="Gateways"
                rows={gateways}
                keyOf={({ id }) => id}
                columns={[
                  {
                    name: 'Gateway',
                    render: ({ id }) => <Identifier id={id} whole />,
                  },
                  {
                    name: 'Rules',
                    render: ({ rules }) => (
                      <span className="flex items-center gap-2">
                        <code className="font-mono text-xs">{rules}</code>
                        {rules === shownRules && <Badge>shown here</Badge>}
                      </span>
                    ),
                  },
                  { name: 'Release', render: ({ version }) => version },
                  { name: 'Since', render: ({ started_at: time }) => <Moment at={time} /> },
                ]}
              />
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}
