const DAY_MS = 86_400_000;

const timeOfDay = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const dayAndTime = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const wholeDate = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** Local time, as short as it is clear: of today without the day, of this year without the year. */
export function formatTime(time: number, now = Date.now()): string {
  const date = new Date(time);
  const today = new Date(now);
  if (date.toDateString() === today.toDateString()) return timeOfDay.format(date);
  return (date.getFullYear() === today.getFullYear() ? dayAndTime : wholeDate).format(date);
}

/** The same instant in UTC, with milliseconds. */
export function formatUtc(time: number): string {
  return `${new Date(time).toISOString().replace('T', ' ').replace('Z', '')} UTC`;
}

/** `250 ms`, `1.4 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1).replace(/\.?0+$/, '')} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return joinUnits(minutes, 'min', Math.floor((ms % 60_000) / 1_000), 's');
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return joinUnits(hours, 'h', minutes % 60, 'min');
  return joinUnits(Math.floor(ms / DAY_MS), 'd', hours % 24, 'h');
}

function joinUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** How long ago: `just now`, `12 s ago`, `5 min ago`. */
export function formatAge(time: number, now = Date.now()): string {
  const ms = Math.max(0, now - time);
  if (ms < 2_000) return 'just now';
  if (ms < 60_000) return `${Math.floor(ms / 1_000)} s ago`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ago`;
  if (ms < DAY_MS) return `${Math.floor(ms / 3_600_000)} h ago`;
  return `${Math.floor(ms / DAY_MS)} d ago`;
}

/** A time to come, and how far it is: `14:05, in 3 h`, `Nov 27, 09:00, in 2 d 4 h`. */
export function formatUntil(time: number, now = Date.now()): string {
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  const format = new Intl.DateTimeFormat(undefined, {
    ...(!isToday && { month: 'short', day: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  // Seconds say nothing about a time that is hours ahead.
  const left = Math.max(0, time - now);
  const rounded = left < 60_000 ? left : Math.floor(left / 60_000) * 60_000;
  return `${format.format(new Date(time))}, in ${formatDuration(rounded)}`;
}

/** The date of an instant in this many days, in local time. */
export function formatDateIn(days: number, now = Date.now()): string {
  const options = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  return new Intl.DateTimeFormat(undefined, options).format(new Date(now + days * DAY_MS));
}
