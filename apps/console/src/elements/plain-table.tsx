import type { ReactNode } from 'react';

export interface PlainColumn<T> {
  readonly name: string;
  readonly numeric?: boolean;
  readonly className?: string;
  readonly render: (row: T) => ReactNode;
}

/**
 * A table of few rows. On a phone each row is a card: display values other than those of tables hide the
 * roles, which are named.
 */
export function PlainTable<T>({
  label,
  columns,
  rows,
  keyOf,
}: {
  readonly label: string;
  readonly columns: readonly PlainColumn<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
}) {
  return (
    <div className="relative overflow-x-auto" tabIndex={0} role="group" aria-label={label}>
      <table role="table" className="w-full border-collapse max-md:block">
        <thead role="rowgroup" className="max-md:sr-only">
          <tr role="row" className="border-b border-line text-left text-xs text-soft">
            {columns.map(({ name, numeric = false, className = '' }) => (
              <th
                key={name}
                role="columnheader"
                scope="col"
                className={`h-8 px-4 font-medium whitespace-nowrap ${numeric ? 'text-right' : ''} ${className}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-md:block">
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              role="row"
              className="border-b border-line last:border-0 hover:bg-sunken/60 max-md:block max-md:py-1.5"
            >
              {columns.map(({ name, numeric = false, className = '', render }) => (
                <td
                  key={name}
                  role="cell"
                  data-name={name}
                  className={`h-10 px-4 py-1.5 max-md:grid max-md:h-auto max-md:grid-cols-[6rem_minmax(0,1fr)] max-md:gap-3 max-md:py-1 max-md:before:text-xs max-md:before:leading-5 max-md:before:text-soft max-md:before:content-[attr(data-name)] ${numeric ? 'figures whitespace-nowrap md:text-right' : ''} ${className}`}
                >
                  <div className="min-w-0 max-md:[overflow-wrap:anywhere]">{render(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
