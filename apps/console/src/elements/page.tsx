import { type ReactNode, useEffect } from 'react';

/** The frame of a page: its title, what it is for, and its actions. */
export function Page({
  title,
  lead,
  actions,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Forecourt`;
  }, [title]);
  return (
    <div className="mx-auto flex w-full max-w-[88rem] flex-col gap-5 px-4 py-5 sm:px-6 lg:px-8 lg:py-7">
      <header className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h1 className="text-xl leading-7 font-semibold tracking-tight">{title}</h1>
          {lead !== undefined && <p className="mt-0.5 max-w-3xl text-soft">{lead}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
