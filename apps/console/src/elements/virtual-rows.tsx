import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';

const ROW_PX = 44;
const OVERSCAN = 12;

export interface Column<T> {
  readonly name: string;
  /** Classes of the cells, such as those that hide the column on a narrow screen. */
  readonly className?: string;
  /** The order of the rows by this column, which its header turns. */
  readonly sort?: { readonly order: 'ascending' | 'descending'; readonly turn: () => void };
  readonly render: (row: T) => ReactNode;
}

/**
 * A table of any number of rows, of which only the visible ones are in the page. Reaching the end loads the
 * next page. `template`: the grid's columns, as a class.
 */
export function VirtualRows<T>({
  label,
  columns,
  rows,
  keyOf,
  template,
  hasMore,
  onMore,
}: {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T, index: number) => string;
  readonly template: string;
  readonly hasMore: boolean;
  readonly onMore: () => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  // A new function would make the virtualizer compute the place of every row again, at each step of
  // scrolling.
  const getItemKey = useCallback((index: number) => keyOf(rows[index]!, index), [keyOf, rows]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey,
    overscan: OVERSCAN,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (hasMore && last >= rows.length - OVERSCAN) onMore();
  }, [hasMore, last, rows.length, onMore]);
  return (
    <div
      ref={scroller}
      role="table"
      aria-label={label}
      aria-rowcount={hasMore ? -1 : rows.length + 1}
      tabIndex={0}
      className="max-h-[calc(100dvh-15rem)] min-h-64 overflow-y-auto"
    >
      <div role="rowgroup" className="sticky top-0 z-10 border-b border-line bg-surface">
        <div
          role="row"
          aria-rowindex={1}
          className={`grid h-8 items-center gap-4 px-4 text-xs font-medium text-soft ${template}`}
        >
          {columns.map(({ name, className = '', sort }) => (
            <div key={name} role="columnheader" aria-sort={sort?.order} className={className}>
              {sort ? (
                <button type="button" onClick={sort.turn} className="hover:text-text">
                  {name} <span aria-hidden="true">{sort.order === 'ascending' ? '↑' : '↓'}</span>
                </button>
              ) : (
                name
              )}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => (
          <div
            key={item.key}
            role="row"
            aria-rowindex={item.index + 2}
            className={`absolute inset-x-0 grid items-center gap-4 border-b border-line px-4 hover:bg-sunken/60 has-[a.row-link:focus-visible]:bg-sunken ${template}`}
            style={{ height: item.size, transform: `translateY(${item.start}px)` }}
          >
            {columns.map(({ name, className = '', render }) => (
              <div key={name} role="cell" className={`min-w-0 truncate ${className}`}>
                {render(rows[item.index]!)}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
