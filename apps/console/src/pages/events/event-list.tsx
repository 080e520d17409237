import type { StoredEventRecord } from '@forecourt/client';
import { Moment } from '../../elements/facts.js';
import { shortenFunction } from '../../format/identifiers.js';

/** Events with their fields as JSON, one below the other. */
export function EventList({ records }: { readonly records: readonly StoredEventRecord[] }) {
  return (
    <ul>
      {records.map(({ id, timestamp, event }) => {
        const [[kind, content]] = Object.entries(event) as [[string, unknown]];
        return (
          <li key={`${id.txSeq}:${id.eventSeq}`} className="border-b border-line last:border-0">
            <details>
              <summary className="flex cursor-pointer flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 hover:bg-sunken/60">
                <span className="figures w-24 text-soft">
                  {id.txSeq}:{id.eventSeq}
                </span>
                <span className="w-32 font-medium">{kind}</span>
                <span className="min-w-0 flex-1 truncate font-mono text-xs text-soft">
                  {summarise(content)}
                </span>
                <Moment at={timestamp} />
              </summary>
              <div className="border-t border-line bg-sunken/40 px-4 py-3">
                <pre
                  tabIndex={0}
                  className="font-mono text-xs [overflow-wrap:anywhere] whitespace-pre-wrap"
                >
                  {JSON.stringify(content, null, 2)}
                </pre>
              </div>
            </details>
          </li>
        );
      })}
    </ul>
  );
}

function summarise(content: unknown): string {
  if (typeof content !== 'object' || content === null) return String(content);
  const { type, objectId, packageId, sender } = content as Record<string, string | undefined>;
  return shortenFunction(type ?? objectId ?? packageId ?? sender ?? '');
}
