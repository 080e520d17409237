import { readEscaped, type SettledResult, type Sponsorship } from '@forecourt/contracts';
import { InvalidEntry } from './invalid-entry.js';

const events = ['claimed', 'begun', 'resumed', 'submitted', 'refused', 'quarantined'] as const;

/** One line of the trail of a `StoredSponsorship`. */
export interface TrailLine {
  /** Milliseconds since 1970, by Redis's clock. */
  readonly time: number;
  readonly event: (typeof events)[number];
  readonly fields: readonly string[];
}

const TIME = /^\d{1,15}$/;

/**
 * Reads a trail, in the order of time. Leaves out events that only later releases know, and adds the
 * submission that an executor had no time to note. Throws `InvalidEntry`.
 */
export function readTrail(stored: string): TrailLine[] {
  const lines: TrailLine[] = stored.split('\n').flatMap((line) => {
    const [time = '', name, ...fields] = line.split('\t');
    const event = events.find((known) => known === name);
    if (!event) return [];
    if (!TIME.test(time)) throw new InvalidEntry('trail', line);
    return [{ time: Number(time), event, fields: fields.map(readEscaped) }];
  });
  return inOrder([...lines, ...missingSubmission(lines)]);
}

/**
 * By time, but a submission after the beginning of its claim: its time is known to a millisecond, from its
 * age by another clock, and its line is stored first.
 */
function inOrder(lines: readonly TrailLine[]): TrailLine[] {
  const ordered = lines.toSorted((a, b) => a.time - b.time);
  for (const [index, { event }] of ordered.entries()) {
    if (event !== 'begun') continue;
    for (let place = index; ordered[place - 1]?.event === 'submitted'; place -= 1) {
      const [submitted, begun] = [ordered[place - 1]!, ordered[place]!];
      ordered[place - 1] = { ...begun, time: submitted.time };
      ordered[place] = submitted;
    }
  }
  return ordered;
}

/**
 * An executor submits at once after it has begun, and notes that with the outcome. If it died in between, the
 * second executor resumes what has no submission. Later submissions are noted before they are sent.
 */
function missingSubmission(lines: readonly TrailLine[]): TrailLine[] {
  const timesOf = (event: TrailLine['event']) =>
    lines.filter((line) => line.event === event).map((line) => line.time);
  return timesOf('resumed').flatMap((resumed) => {
    const begun = Math.max(...timesOf('begun').filter((time) => time <= resumed));
    const isNoted = timesOf('submitted').some((time) => time >= begun && time <= resumed);
    return isNoted || begun === -Infinity ? [] : { time: begun, event: 'submitted', fields: [] };
  });
}

const COIN = /^\d+:\w+:(0x[0-9a-f]+):(\d+):(\w+)$/;

/** Reads reserved coins. Throws `InvalidEntry`. */
export function readCoins(stored: string): Sponsorship['gas_coins'] {
  if (stored === '') return [];
  return stored.split(',').map((coin) => {
    const [, objectId, version, digest] = COIN.exec(coin) ?? [];
    if (!objectId || !digest) throw new InvalidEntry('coins', stored);
    return { objectId, version: Number(version), digest };
  });
}

const AMOUNT = /^-?\d+$/;

/** Reads `SettledResult`; null for an empty text. Throws `InvalidEntry`. */
export function readResult(stored: string): SettledResult | null {
  if (stored === '') return null;
  const result = parse(stored, 'result') as Partial<SettledResult> | null;
  const amounts = [result?.computation, result?.storage, result?.rebate];
  if (!amounts.every((amount) => typeof amount === 'string' && AMOUNT.test(amount))) {
    throw new InvalidEntry('result', stored);
  }
  return result as SettledResult;
}

/** Reads commands, a list of texts in JSON. Throws `InvalidEntry`. */
export function readCommands(stored: string): readonly string[] {
  const commands = parse(stored, 'commands');
  if (!Array.isArray(commands) || !commands.every((one) => typeof one === 'string')) {
    throw new InvalidEntry('commands', stored);
  }
  return commands;
}

function parse(stored: string, field: string): unknown {
  try {
    return JSON.parse(stored);
  } catch {
    throw new InvalidEntry(field, stored);
  }
}
