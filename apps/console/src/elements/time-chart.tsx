import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useTheme } from './theme.js';

export interface Series {
  readonly name: string;
  /** A custom property of the theme, such as `--accent`. */
  readonly colour: string;
  readonly values: readonly (number | null)[];
  readonly fill?: boolean;
}

const HEIGHT_PX = 200;

/**
 * Values over time, as bars or lines. `whole`: values are numbers of things; `utc`: times are named in UTC. `summary`: what the chart shows, for those who do not see it; the figures stand in a
 * table beside it.
 */
export function TimeChart({
  times,
  series,
  bars = false,
  whole = false,
  utc = false,
  summary,
  format = String,
  height = HEIGHT_PX,
}: {
  /** Milliseconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly bars?: boolean;
  readonly whole?: boolean;
  readonly utc?: boolean;
  readonly summary: string;
  readonly format?: (value: number) => string;
  readonly height?: number;
}) {
  const place = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const isEmpty = series.every(({ values }) => values.every((value) => (value ?? 0) === 0));
  useEffect(() => {
    if (isEmpty) return;
    const target = place.current!;
    const styles = getComputedStyle(document.documentElement);
    const colour = (name: string) => styles.getPropertyValue(name).trim();
    const axis = {
      stroke: colour('--soft'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
      font: '11px ui-sans-serif, system-ui, sans-serif',
    };
    const paths = bars ? uPlot.paths.bars!({ size: [0.7, 40], radius: 0.15 }) : undefined;
    const options: uPlot.Options = {
      width: target.clientWidth,
      height,
      cursor: { y: false, points: { show: !bars } },
      legend: { show: false },
      scales: {
        x: { time: true, ...(bars && { range: () => rangeOfBars(times) }) },
        y: { range: (_plot, _min, max) => [0, max * 1.1] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          space: 72,
          size: 28,
          values: (_plot, ticks) => nameTicks(ticks, utc),
          ...(bars && {
            splits: (plot: uPlot, _axis: number, _min: number, _max: number, _incr, space) =>
              labelledBars(times, space / (plot.bbox.width / devicePixelRatio)),
          }),
        },
        {
          ...axis,
          size: 56,
          ...(whole && { incrs: WHOLE }),
          values: (_plot, ticks) => ticks.map(format),
        },
      ],
      series: [
        {},
        ...series.map(({ name, colour: token, fill = bars }) => ({
          label: name,
          stroke: colour(token),
          width: bars ? 0 : 1.75,
          ...(fill && { fill: bars ? colour(token) : `${colour(token)}22` }),
          ...(paths && { paths }),
          // A value between two gaps has no line.
          points: { show: !bars, size: 4 },
        })),
      ],
    };
    const data = [times.map((at) => at / 1_000), ...series.map(({ values }) => values)];
    const plot = new uPlot(options, data as uPlot.AlignedData, target);
    const resize = new ResizeObserver(() => plot.setSize({ width: target.clientWidth, height }));
    resize.observe(target);
    return () => {
      resize.disconnect();
      plot.destroy();
    };
  }, [times, series, bars, whole, utc, isEmpty, format, height, theme]);
  return (
    <div
      ref={place}
      role="img"
      aria-label={summary}
      className="flex w-full min-w-0 items-center justify-center overflow-hidden"
      style={{ height }}
    >
      {isEmpty && <span className="text-soft">Nothing in this time</span>}
    </div>
  );
}

/** Steps of an axis that counts. */
const WHOLE = Array.from({ length: 16 }, (_, power) =>
  [1, 2, 5].map((one) => one * 10 ** power),
).flat();

/** From the beginning of the first bar to the end of the last one, in seconds; a bar stands in the middle of its time. */
export function rangeOfBars(times: readonly number[]): [number, number] {
  const [first = 0, second = first + 3_600_000] = times;
  const half = (second - first) / 2_000;
  return [first / 1_000 - half, (times.at(-1) ?? first) / 1_000 + half];
}

const MINUTE_MS = 60_000;
/** Numbers of bars from one label to the next. */
const STEPS = [1, 2, 5, 10, 15, 20, 30] as const;

/**
 * The bars with a label, in seconds: of minutes the round ones, otherwise the last one and every so many before it. `share`: of
 * the width, what a label needs.
 */
export function labelledBars(times: readonly number[], share: number): number[] {
  const [first = 0, second = 0] = times;
  const every = STEPS.find((step) => step >= times.length * share) ?? times.length;
  const isMinutes = second - first === MINUTE_MS;
  return times
    .filter((at, index) => (isMinutes ? at / MINUTE_MS : times.length - 1 - index) % every === 0)
    .map((at) => at / 1_000);
}

const DAY_SECS = 86_400;

/** Times of day; dates where the ticks are days apart. */
function nameTicks(ticks: readonly number[], utc: boolean): string[] {
  const [first = 0, second = first] = ticks;
  const zone = utc ? { timeZone: 'UTC' } : {};
  const format = new Intl.DateTimeFormat(
    undefined,
    second - first >= DAY_SECS
      ? { ...zone, month: 'short', day: 'numeric' }
      : { ...zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  );
  return ticks.map((at) => format.format(new Date(at * 1_000)));
}

/** The names of the series, with their colours. */
export function Legend({
  series,
}: {
  readonly series: readonly Pick<Series, 'name' | 'colour'>[];
}) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-soft">
      {series.map(({ name, colour }) => (
        <li key={name} className="flex items-center gap-1.5">
          <span
            aria-hidden="true"
            className="size-2 rounded-sm"
            style={{ background: `var(${colour})` }}
          />
          {name}
        </li>
      ))}
    </ul>
  );
}
