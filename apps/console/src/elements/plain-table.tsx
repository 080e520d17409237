import type { ReactNode } from 'react';

export interface PlainColumn<T> {
  readonly name: string;
  readonly numeric?: boolean;
  readonly className?: string;
  readonly render: (row: T) => ReactNode;
}

/** A table of few rows. */
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
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={label}>
      <table className="w-full border-collapse">
        <thead>
          <tr className="border-b border-line text-left text-xs text-soft">
            {columns.map(({ name, numeric = false, className = '' }) => (
              <th
                key={name}
                scope="col"
                className={`h-8 px-4 font-medium whitespace-nowrap ${numeric ? 'text-right' : ''} ${className}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b border-line last:border-0 hover:bg-sunken/60">
              {columns.map(({ name, numeric = false, className = '', render }) => (
                <td
                  key={name}
                  className={`h-10 px-4 py-1.5 ${numeric ? 'figures text-right whitespace-nowrap' : ''} ${className}`}
                >
                  {render(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
