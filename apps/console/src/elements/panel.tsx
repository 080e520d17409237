import { type ReactNode, useId } from 'react';

/** A titled part of a page. */
export function Panel({
  title,
  note,
  actions,
  children,
  flush = false,
  className = '',
}: {
  readonly title: ReactNode;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Without space around the content: for tables. */
  readonly flush?: boolean;
  readonly className?: string;
}) {
  const heading = useId();
  return (
    <section
      aria-labelledby={heading}
      className={`min-w-0 rounded-lg border border-line bg-surface ${className}`}
    >
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-1.5">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h2 id={heading} className="font-semibold">
            {title}
          </h2>
          {note !== undefined && <p className="text-xs text-soft">{note}</p>}
        </div>
        {actions}
      </div>
      <div className={flush ? '' : 'p-4'}>{children}</div>
    </section>
  );
}
