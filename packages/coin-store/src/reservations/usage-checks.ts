import {
  type AnnouncedBudget,
  escapeText,
  type ExpectedUsage,
  TOTAL_WINDOW_MS,
} from '@forecourt/contracts';

/** A check of a counter, as `includes/hold-usage.lua` reads it. */
export function writeCheck(check: ExpectedUsage): (string | number)[] {
  return [
    escapeText(check.counter),
    check.counts,
    check.amount,
    check.operator,
    check.limit,
    check.windowMs,
    Number(check.expected),
    Number(check.held),
    writeBudget(check),
  ];
}

/** Empty where nothing is announced. */
function writeBudget({ budget, counts, limit, windowMs }: ExpectedUsage): string {
  if (!budget) return '';
  const { kind, name, ruleSet = null, token, until } = budget;
  const announced: AnnouncedBudget = {
    kind,
    name,
    rule_set: ruleSet,
    token,
    counts,
    limit,
    window_secs: windowMs === TOTAL_WINDOW_MS ? null : windowMs / 1_000,
    ends_at: until,
  };
  return JSON.stringify(announced);
}

/** A budget has reached a threshold for the first time in its window. */
export interface ReachedThreshold {
  /** Percent of the limit. */
  readonly threshold: number;
  readonly budget: Pick<AnnouncedBudget, 'kind' | 'name'>;
}

/** Reads what scripts reply about reached thresholds: flat pairs of threshold and budget. */
export function readReached(reply: unknown): readonly ReachedThreshold[] {
  const flat = reply as readonly string[];
  return flat.flatMap((threshold, index) =>
    index % 2 === 0
      ? { threshold: Number(threshold), budget: JSON.parse(flat[index + 1]!) as AnnouncedBudget }
      : [],
  );
}
