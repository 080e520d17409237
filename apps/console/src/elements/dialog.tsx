import * as Radix from '@radix-ui/react-dialog';
import { type ReactNode, useState } from 'react';
import { Cross } from './icons.js';

const places = {
  middle: 'left-1/2 top-[12vh] w-[calc(100%-2rem)] max-w-lg -translate-x-1/2 rounded-lg',
  side: 'inset-y-0 left-0 w-64 max-w-[85vw] border-r',
} as const;

interface Content {
  readonly title: string;
  readonly hideTitle?: boolean;
  readonly place?: keyof typeof places;
  readonly children: ReactNode;
}

/** A dialog over the page. */
export function Dialog({
  open,
  onOpenChange,
  ...content
}: Content & {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      {open && <OpenDialog {...content} />}
    </Radix.Root>
  );
}

/**
 * Draws its own backdrop, because that of Radix locks scrolling with a style element, which the policy of the
 * page forbids. Returns the focus itself, because Radix returns it only to a trigger of Radix.
 */
function OpenDialog({ title, hideTitle = false, place = 'middle', children }: Content) {
  // Read before a field of the dialog takes the focus.
  const [opener] = useState(() => document.activeElement);
  return (
    <Radix.Portal>
      <div aria-hidden="true" className="fixed inset-0 z-40 bg-black/40" />
      <Radix.Content
        aria-describedby={undefined}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          if (opener instanceof HTMLElement) opener.focus();
        }}
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
  );
}
