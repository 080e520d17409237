import type { ReactNode } from 'react';

const tones = {
  good: 'bg-good-tint text-good',
  warn: 'bg-warn-tint text-warn',
  bad: 'bg-bad-tint text-bad',
  accent: 'bg-accent-tint text-accent',
  neutral: 'bg-sunken text-soft',
} as const;

export type Tone = keyof typeof tones;

/** A state in one word. The word carries the meaning, the colour only repeats it. */
export function Badge({
  tone = 'neutral',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}) {
  return (
    <span
      className={`inline-flex h-5 max-w-full items-center rounded-full px-2 text-xs font-medium ${tones[tone]}`}
    >
      <span className="truncate">{children}</span>
    </span>
  );
}
