import { IsBoolean, IsOptional } from 'class-validator';
import { DECIMAL, IsDto, IsName, IsNatural, IsOneOf, IsText } from '../dto/index.js';

const usageKinds = ['gas', 'requests'] as const;
const usageOperators = ['=', '!=', '<', '>', '<=', '>='] as const;

const budgetKinds = ['token', 'rule', 'sponsor'] as const;
export type BudgetKind = (typeof budgetKinds)[number];

/** A limit whose thresholds are announced. */
export class Budget {
  @IsOneOf(budgetKinds) readonly kind!: BudgetKind;

  /** Of the token's entry or of the rule; `sponsor-budget` or `daily-gas-usage-cap`. */
  @IsName() readonly name!: string;

  /** Of a rule; absent or null: the general rules. */
  @IsOptional() @IsName() readonly ruleSet?: string | null;

  /** The only token that is counted; null: several may be. */
  @IsOptional() @IsName() readonly token!: string | null;

  /** When a total ends, in ms since 1970; null: it has no end, or is renewed. */
  @IsOptional() @IsNatural() readonly until!: number | null;
}

/** The window of a total, in ms: a hundred years. A counter with a window expires with it. */
export const TOTAL_WINDOW_MS = 3_155_760_000_000;

/** The expected state of one counter. Amounts are decimal texts. */
export class ExpectedUsage {
  @IsName() readonly counter!: string;

  /** Gas is corrected to the charged amount when the transaction settles. */
  @IsOneOf(usageKinds) readonly counts!: (typeof usageKinds)[number];

  /** The amount that the transaction adds. */
  @IsText(DECIMAL) readonly amount!: string;
  @IsOneOf(usageOperators) readonly operator!: (typeof usageOperators)[number];
  @IsText(DECIMAL) readonly limit!: string;

  /** A window begins with the first use. `TOTAL_WINDOW_MS`: a total. */
  @IsNatural() readonly windowMs!: number;

  /** The expected result of comparing the used amount, including this transaction, with the limit. */
  @IsBoolean() readonly expected!: boolean;

  /** Whether the transaction must be counted. */
  @IsBoolean() readonly held!: boolean;

  /** Absent or null: its thresholds are not announced. */
  @IsOptional() @IsDto(Budget) readonly budget?: Budget | null;
}

/** The current value of a counter. */
export class CurrentUsage {
  @IsName() readonly counter!: string;
  @IsText(DECIMAL) readonly used!: string;

  /** The rest of the window's duration; 0 if none has begun. */
  @IsNatural() readonly endsInMs!: number;
}
