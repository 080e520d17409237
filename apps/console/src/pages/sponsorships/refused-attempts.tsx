import { explainError } from '../../api/explain-error.js';
import type { WholeSponsorship } from '../../generated/gateway-types.js';
import { Badge } from '../../elements/badge.js';
import { Moment } from '../../elements/facts.js';
import { Panel } from '../../elements/panel.js';

/** The executes of a reservation that were refused, each with its remedy. */
export function RefusedAttempts({ refusals }: { readonly refusals: WholeSponsorship['refusals'] }) {
  return (
    <Panel title="Refused attempts" note={`${refusals.length}, oldest first`} flush>
      <ol>
        {refusals.map(({ at, code, message }, index) => {
          const { cause, remedy } = explainError(code, message);
          return (
            <li
              key={index}
              className="flex flex-col gap-1 border-b border-line px-4 py-3 last:border-0"
            >
              <div className="flex flex-wrap items-center gap-2.5">
                <Moment at={at} />
                <Badge tone="bad">{code}</Badge>
                <span className="font-medium">{cause}</span>
              </div>
              <p className="font-mono text-xs break-words">{message}</p>
              <p className="text-soft">{remedy}</p>
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}
