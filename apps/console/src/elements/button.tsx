import type { ComponentProps } from 'react';

const looks = {
  primary: 'bg-accent text-on-accent border-transparent hover:opacity-90',
  plain: 'bg-surface text-text border-strong hover:bg-sunken',
  danger: 'bg-surface text-bad border-bad/40 hover:bg-bad-tint',
  quiet: 'bg-transparent text-soft border-transparent hover:bg-sunken hover:text-text',
} as const;

export type ButtonLook = keyof typeof looks;

export function Button({
  look = 'plain',
  className = '',
  type = 'button',
  ...props
}: ComponentProps<'button'> & { readonly look?: ButtonLook }) {
  return (
    <button
      type={type}
      className={`inline-flex h-8 items-center justify-center gap-1.5 rounded-md border px-3 font-medium whitespace-nowrap transition-colors disabled:opacity-55 ${looks[look]} ${className}`}
      {...props}
    />
  );
}
