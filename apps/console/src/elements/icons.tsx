import type { ReactNode } from 'react';

function Icon({ children, size = 14 }: { readonly children: ReactNode; readonly size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="shrink-0"
    >
      {children}
    </svg>
  );
}

const of = (path: string, size?: number) => () => (
  <Icon {...(size && { size })}>
    <path d={path} />
  </Icon>
);

export const Check = of('M3 8.5l3.2 3L13 4.5');
export const Copy = of('M5.5 5.5h7v7h-7zM3.5 10.5v-7h7');
export const Cross = of('M4 4l8 8M12 4l-8 8');
export const Menu = of('M2.5 4.5h11M2.5 8h11M2.5 11.5h11', 18);
export const Search = of('M7 11.5a4.5 4.5 0 100-9 4.5 4.5 0 000 9zM10.5 10.5l3 3');
export const Play = of('M5 3.5l7 4.5-7 4.5z');
export const Pause = of('M5.5 3.5v9M10.5 3.5v9');
export const Download = of('M8 2.5v7M5 7l3 3 3-3M3 13h10');
export const External = of('M6 3.5H3.5v9h9V10M9.5 3.5h3v3M12.5 3.5L7.5 8.5');
export const Sun = of(
  'M8 10.5a2.5 2.5 0 100-5 2.5 2.5 0 000 5zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9',
);
export const Moon = of('M13 9.5A5.5 5.5 0 016.5 3 5.5 5.5 0 1013 9.5z');
export const Gauge = of('M2.5 11.5a5.8 5.8 0 1111 0M8 9.5l2.5-3.5', 16);
export const Rows = of('M2.5 4h11M2.5 8h11M2.5 12h7', 16);
export const Coin = of('M8 13.5a5.5 5.5 0 100-11 5.5 5.5 0 000 11zM8 5.5v5M6 7h3M7 9.5h3', 16);
export const Wave = of('M1.5 8h2.7l1.8-4.5 3.5 9L11.5 8h3', 16);
export const Hook = of('M5.5 3.5v5a2.75 2.75 0 105.5 0V8M9.5 9L11 7.2 12.7 9', 16);
export const Pool = of(
  'M3 4.5c0-1.1 2.2-2 5-2s5 .9 5 2-2.2 2-5 2-5-.9-5-2zM3 4.5v7c0 1.1 2.2 2 5 2s5-.9 5-2v-7M3 8c0 1.1 2.2 2 5 2s5-.9 5-2',
  16,
);
export const Key = of('M6 10.5a3 3 0 110-6 3 3 0 010 6zM8.8 8.5l4.7 0M11.5 8.5v2.2', 16);
export const Ban = of('M8 13.5a5.5 5.5 0 100-11 5.5 5.5 0 000 11zM4.2 4.2l7.6 7.6', 16);
