import * as Radix from '@radix-ui/react-dialog';
import type { ReactNode } from 'react';
import { Cross } from './icons.js';

const places = {
  middle: 'left-1/2 top-[12vh] w-[calc(100%-2rem)] max-w-lg -translate-x-1/2 rounded-lg',
  side: 'inset-y-0 left-0 w-64 max-w-[85vw] border-r',
} as const;

/**
 * A dialog over the page. The backdrop is our own: the one of Radix locks scrolling with a style element, which the policy of
 * the page forbids.
 */
export function Dialog({
  title,
  hideTitle = false,
  open,
  onOpenChange,
  place = 'middle',
  children,
}: {
  readonly title: string;
  readonly hideTitle?: boolean;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly place?: keyof typeof places;
  readonly children: ReactNode;
}) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <div aria-hidden="true" className="fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          aria-describedby={undefined}
          className={`fixed z-50 max-h-[80vh] overflow-y-auto border border-line bg-surface shadow-xl ${places[place]} ${place === 'side' ? 'max-h-none' : ''}`}
        >
          <div className={hideTitle ? 'sr-only' : 'flex items-center justify-between px-5 pt-4'}>
            <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
            {!hideTitle && (
              <Radix.Close aria-label="Close" className="rounded p-1 text-soft hover:text-text">
                <Cross />
              </Radix.Close>
            )}
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
