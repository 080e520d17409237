import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import {
  decadesAround,
  labelledBars,
  logTicks,
  nameBar,
  nameTicks,
  rangeOfBars,
  stackValues,
  WHOLE_STEPS,
} from './chart-scales.js';
import { Empty } from './states.js';
import { useTheme } from './theme.js';

export interface Series {
  readonly name: string;
  /** A custom property of the theme, such as `--accent`. */
  readonly colour: string;
  readonly dashed?: boolean;
  readonly values: readonly (number | null)[];
}

const HEIGHT_PX = 200;
const DASH = [4, 4];

interface Chart {
  /** Milliseconds since 1970, ascending: the beginnings of minutes, hours or days. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** Values are parts of bars; otherwise of lines. */
  readonly bars?: boolean;
  /** Values are numbers of things. */
  readonly whole?: boolean;
  /** Values are shown by their powers of ten; those below 1 as 1. */
  readonly log?: boolean;
  /** Times are named in UTC. */
  readonly utc?: boolean;
  readonly format?: (value: number) => string;
}

/** The value that is read: its bar, its series if one is chosen, and where it stands, in pixels. */
interface Reading {
  readonly bar: number;
  readonly series: number | null;
  readonly left: number;
}

/**
 * Values over time. Hovering and the arrow keys read them; a click and Enter choose a bar, and the series
 * that was hit or chosen. `summary`: what the chart shows, for those who do not see it.
 */
export function TimeChart({
  summary,
  empty = 'Choose a longer time.',
  onPick,
  ...chart
}: Chart & {
  readonly summary: string;
  readonly empty?: string;
  readonly onPick?: (time: number, series: Series | null) => void;
}) {
  const { times, series } = chart;
  const isEmpty = series.every(({ values }) => values.every((value) => (value ?? 0) === 0));
  if (isEmpty) {
    return (
      <div className="flex items-center justify-center" style={{ height: HEIGHT_PX }}>
        <Empty title="Nothing in this time">{empty}</Empty>
      </div>
    );
  }
  const pick =
    onPick &&
    (({ bar, series: chosen }: Reading) => {
      const time = times[bar];
      if (time !== undefined) onPick(time, chosen === null ? null : (series[chosen] ?? null));
    });
  return <Plot chart={chart} summary={summary} onPick={pick} />;
}

function Plot({
  chart,
  summary,
  onPick,
}: {
  readonly chart: Chart;
  readonly summary: string;
  readonly onPick: ((reading: Reading) => void) | undefined;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [reading, setReading] = useState<Reading | null>(null);
  const [isByKey, setByKey] = useState(false);
  const plot = usePlot(place, chart, setReading, onPick);
  const { times, series } = chart;
  const last = times.length - 1;
  const moveTo = (bar: number, chosen: number | null) => {
    const { current } = plot;
    if (current === null) return;
    const index = Math.min(Math.max(bar, 0), last);
    const left = current.valToPos(times[index]! / 1_000, 'x');
    current.setCursor({ left, top: 0 }, false);
    setReading({ bar: index, series: chosen, left: left + current.over.offsetLeft });
    setByKey(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { bar, series: chosen } = reading ?? { bar: last, series: null };
    const moves: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => moveTo(bar - 1, chosen),
      ArrowRight: () => moveTo(bar + 1, chosen),
      Home: () => moveTo(0, chosen),
      End: () => moveTo(last, chosen),
      ArrowDown: () => moveTo(bar, Math.min((chosen ?? -1) + 1, series.length - 1)),
      ArrowUp: () => moveTo(bar, chosen === null || chosen === 0 ? null : chosen - 1),
      Enter: () => reading && onPick?.(reading),
      Escape: () => setReading(null),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };
  return (
    <div
      role="group"
      aria-label={`Arrow keys read the values${onPick ? ', Enter lists them' : ''}`}
      tabIndex={0}
      className="relative"
      onKeyDown={onKeyDown}
      onFocus={(event) => event.target.matches(':focus-visible') && moveTo(last, null)}
      onBlur={() => {
        setReading(null);
        setByKey(false);
      }}
    >
      <div
        ref={place}
        role="img"
        aria-label={summary}
        className={`w-full min-w-0 overflow-hidden ${onPick ? 'cursor-pointer' : ''}`}
        style={{ height: HEIGHT_PX }}
      />
      {reading !== null && reading.bar <= last && <Values chart={chart} reading={reading} />}
      <p aria-live="polite" className="sr-only">
        {isByKey && reading !== null && inWords(chart, reading)}
      </p>
    </div>
  );
}

/** Draws, and draws anew only what has another form: new values move an old drawing. */
function usePlot(
  place: React.RefObject<HTMLDivElement | null>,
  chart: Chart,
  onRead: (reading: Reading | null) => void,
  onPick: ((reading: Reading) => void) | undefined,
): React.RefObject<uPlot | null> {
  const plot = useRef<uPlot | null>(null);
  const theme = useTheme();
  const latest = useRef({ chart, onPick });
  latest.current = { chart, onPick };
  const form = [
    theme,
    chart.bars,
    chart.log,
    ...chart.series.map(({ name, colour, dashed }) => `${name} ${colour} ${dashed}`),
  ].join();
  useEffect(() => {
    const target = place.current!;
    const drawn = new uPlot(
      optionsOf(() => latest.current.chart, target.clientWidth),
      drawnValues(latest.current.chart),
      target,
    );
    plot.current = drawn;
    const read = () => {
      const reading = readCursor(drawn, latest.current.chart);
      onRead(reading);
      return reading;
    };
    let touched: number | null = null;
    const pick = (event: MouseEvent) => {
      const reading = read();
      const isTouch = 'pointerType' in event && event.pointerType === 'touch';
      // A first touch reads the value.
      if (isTouch && reading?.bar !== touched) touched = reading?.bar ?? null;
      else if (reading !== null) latest.current.onPick?.(reading);
    };
    drawn.over.addEventListener('mousemove', read);
    drawn.over.addEventListener('mouseleave', () => onRead(null));
    drawn.over.addEventListener('click', pick);
    const resize = new ResizeObserver(() =>
      drawn.setSize({ width: target.clientWidth, height: HEIGHT_PX }),
    );
    resize.observe(target);
    return () => {
      resize.disconnect();
      drawn.destroy();
      plot.current = null;
    };
  }, [form, place, onRead]);
  const { times, series } = chart;
  useEffect(() => {
    plot.current?.setData(drawnValues(latest.current.chart));
  }, [times, series]);
  return plot;
}

function drawnValues({ times, series, bars = false, log = false }: Chart): uPlot.AlignedData {
  const values = series.map((one) => one.values);
  const drawn = bars ? stackValues(values) : values;
  const onScale = log
    ? drawn.map((own) => own.map((value) => (value === null ? null : Math.max(1, value))))
    : drawn;
  return [times.map((time) => time / 1_000), ...onScale] as uPlot.AlignedData;
}

/** The bar below the pointer, and the series of the part of it that the pointer is on. */
function readCursor(plot: uPlot, { times, series, bars = false }: Chart): Reading | null {
  const { idx: bar, top = -1 } = plot.cursor;
  if (bar === null || bar === undefined || top < 0) return null;
  const left = plot.valToPos(times[bar]! / 1_000, 'x') + plot.over.offsetLeft;
  if (!bars) return { bar, series: null, left };
  const value = plot.posToVal(top, 'y');
  const sums = stackValues(series.map(({ values }) => values));
  const hit = sums.findLastIndex((own) => value <= own[bar]!);
  return { bar, series: hit < 0 ? null : hit, left };
}

function optionsOf(readChart: () => Chart, width: number): uPlot.Options {
  const { bars = false, log = false, whole = false, series, format = String } = readChart();
  const styles = getComputedStyle(document.documentElement);
  const colour = (name: string) => styles.getPropertyValue(name).trim();
  const axis = {
    stroke: colour('--soft'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: '11px ui-sans-serif, system-ui, sans-serif',
  };
  const decades = () =>
    decadesAround(
      drawnValues(readChart())
        .slice(1)
        .flatMap((own) => [...own])
        .filter((value): value is number => typeof value === 'number'),
    );
  const paths = bars ? uPlot.paths.bars!({ size: [0.7, 40], radius: 0.15 }) : undefined;
  return {
    width,
    height: HEIGHT_PX,
    cursor: { y: false, points: { show: !bars }, drag: { setScale: false, x: false, y: false } },
    legend: { show: false },
    // Room for half a label beside the last bar.
    padding: [8, 16, 0, 0],
    scales: {
      x: { time: true, range: () => rangeOfBars(readChart().times) },
      y: log ? { distr: 3, range: decades } : { range: (_plot, _min, max) => [0, max * 1.1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 72,
        size: 28,
        values: (_plot, ticks) => nameTicks(ticks, readChart().times, readChart().utc ?? false),
        splits: (plot: uPlot, _axis: number, _min: number, _max: number, _incr, space) =>
          labelledBars(readChart().times, space / (plot.bbox.width / devicePixelRatio)),
      },
      {
        ...axis,
        size: 56,
        ...(whole && { incrs: WHOLE_STEPS }),
        ...(log && { splits: () => logTicks(decades()), filter: (_plot, splits) => splits }),
        values: (_plot, ticks) => ticks.map(format),
      },
    ],
    series: [
      {},
      ...series.map(({ name, colour: token, dashed = false }) => ({
        label: name,
        stroke: colour(token),
        width: bars ? 0 : 1.75,
        ...(dashed && { dash: DASH }),
        ...(bars && { fill: colour(token) }),
        ...(paths && { paths }),
        // A value between two gaps has no line.
        points: { show: !bars, size: 4, fill: colour(token) },
      })),
    ],
  };
}

const NONE = 'none';

/** The time and the values of a bar, beside it. */
function Values({ chart, reading }: { readonly chart: Chart; readonly reading: Reading }) {
  const { times, series, utc = false, format = String } = chart;
  const { bar, left, series: chosen } = reading;
  const isRight = bar > times.length / 2;
  return (
    <div
      aria-hidden="true"
      className={`pointer-events-none absolute top-1 z-10 rounded-md border border-line bg-surface px-2.5 py-1.5 text-xs whitespace-nowrap shadow-md ${isRight ? '-translate-x-full' : ''}`}
      style={{ left: isRight ? left - 8 : left + 8 }}
    >
      <p className="font-medium">{nameBar(times[bar]!, times, utc)}</p>
      {series.map(({ name, colour, values }, index) => (
        <p
          key={name}
          className={`flex items-center gap-1.5 ${chosen === index ? 'font-semibold' : 'text-soft'}`}
        >
          <span className="size-2 rounded-sm" style={{ background: `var(${colour})` }} />
          {name}
          <span className="figures ml-auto pl-3 text-text">{nameValue(values[bar], format)}</span>
        </p>
      ))}
    </div>
  );
}

function inWords({ times, series, utc = false, format = String }: Chart, reading: Reading): string {
  const { bar, series: chosen } = reading;
  const time = times[bar];
  if (time === undefined) return '';
  const read = chosen === null ? series : series.filter((_one, index) => index === chosen);
  const values = read.map(({ name, values }) => `${name} ${nameValue(values[bar], format)}`);
  return `${nameBar(time, times, utc)}: ${values.join(', ')}`;
}

const nameValue = (value: number | null | undefined, format: (value: number) => string) =>
  value === null || value === undefined ? NONE : format(value);

/** The names of the series, with their colours. */
export function Legend({
  series,
}: {
  readonly series: readonly Pick<Series, 'name' | 'colour' | 'dashed'>[];
}) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-soft">
      {series.map(({ name, colour, dashed = false }) => (
        <li key={name} className="flex items-center gap-1.5">
          <span
            aria-hidden="true"
            className={dashed ? 'w-3 border-t-2 border-dashed' : 'size-2 rounded-sm'}
            style={dashed ? { borderColor: `var(${colour})` } : { background: `var(${colour})` }}
          />
          {name}
        </li>
      ))}
    </ul>
  );
}
