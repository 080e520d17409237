import { type ReactNode, type SyntheticEvent, useEffect, useId, useState } from 'react';

const WIDTH_PX = 240;
const EDGE_PX = 8;

/** A word with an explanation, which hovering, focus and a touch show, and Escape hides. */
export function Hint({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  const id = useId();
  // Of the window: no box around the word cuts it.
  const [place, setPlace] = useState<{ readonly top: number; readonly left: number } | null>(null);
  const show = ({ currentTarget }: SyntheticEvent) => {
    const { left, bottom } = currentTarget.getBoundingClientRect();
    setPlace({ top: bottom, left: Math.min(left, innerWidth - WIDTH_PX - EDGE_PX) });
  };
  const hide = () => setPlace(null);
  const isShown = place !== null;
  useEffect(() => {
    if (!isShown) return;
    addEventListener('scroll', hide, { capture: true, passive: true });
    return () => removeEventListener('scroll', hide, { capture: true });
  }, [isShown]);
  return (
    <span
      tabIndex={0}
      aria-describedby={id}
      className="inline-flex cursor-help rounded"
      onMouseEnter={show}
      onMouseLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={({ key }) => key === 'Escape' && hide()}
    >
      {children}
      <span
        id={id}
        role="tooltip"
        className="fixed z-40 pt-1"
        hidden={!isShown}
        style={{ ...place, width: WIDTH_PX }}
      >
        <span className="block rounded-md border border-line bg-surface px-2.5 py-1.5 text-xs font-normal whitespace-normal text-text shadow-md">
          {text}
        </span>
      </span>
    </span>
  );
}
