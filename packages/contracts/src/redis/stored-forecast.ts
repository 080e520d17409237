import { IsBoolean } from 'class-validator';
import { IsAmount, IsArrayOfDtos, IsName, IsNatural, IsOneOf, IsText } from '../dto/index.js';

/**
 * Sorted set in Redis: `StoredForecast` as JSON; score = when its outcome is looked up next, in ms since
 * 1970.
 */
export const FORECASTS_KEY = 'fc:rate:forecasts';

/** Of `StoredForecast`. A gateway leaves other versions to those who know them. */
export const FORECAST_VERSION = 1;

/** As long as a file of access rules may be. */
const LONGEST_CONDITION = 4 * 2 ** 20;

/** A condition on balance changes that has let a transaction pass. */
export class AssumedChanges {
  @IsName() readonly rule!: string;

  /** Of the rule, in its file. */
  @IsNatural() readonly line!: number;

  /**
   * `every`: the rule allows, and the condition held; `any`: the rule denies, and the condition did not hold.
   */
  @IsOneOf(['every', 'any']) readonly quantifier!: 'every' | 'any';

  /** Its value, as JSON. */
  @IsText({ maxLength: LONGEST_CONDITION }) readonly condition!: string;
}

/**
 * A transaction that was allowed by a forecast of its balance changes, until they are compared with those of
 * its effects.
 */
export class StoredForecast {
  @IsNatural() readonly v!: number;

  /** When it was allowed, in ms since 1970. */
  @IsNatural() readonly at!: number;

  @IsName() readonly requestId!: string;

  /** Name of the token. */
  @IsName() readonly caller!: string;

  @IsNatural() readonly reservationId!: number;
  @IsName() readonly digest!: string;
  @IsName() readonly sender!: string;
  @IsName() readonly gasOwner!: string;
  @IsAmount() readonly gasBudget!: string;

  /** Of the reservation. */
  @IsNatural() readonly reservedBudget!: number;
  @IsNatural() readonly durationSecs!: number;

  @IsArrayOfDtos(AssumedChanges) readonly assumed!: readonly AssumedChanges[];

  /** The rules are only tried out. */
  @IsBoolean() readonly dryRun!: boolean;
}
