import { IsArray, IsObject, IsOptional } from 'class-validator';
import { IsNatural } from '../validation/rules.js';
import { IsName } from '../validation/text-rules.js';
import type {
  DroppedRefusals,
  ListedRefusal,
  Page,
  RefusalPage,
  UsageFigures,
  UsageKey,
  UsageReport,
  UsageRow,
} from './history-messages.js';
import type { ListedSponsorship } from './sponsorship.js';

// The replies of history, which gateways trust: records are not validated field by field.

/** The reply of history to `list-sponsorships`. */
export class SponsorshipPageReply implements Page<ListedSponsorship> {
  @IsArray() readonly data!: readonly ListedSponsorship[];
  @IsOptional() @IsName() readonly next!: string | null;
}

/** The reply to `list-refusals`. */
export class RefusalPageReply implements RefusalPage {
  @IsArray() readonly data!: readonly ListedRefusal[];
  @IsOptional() @IsName() readonly next!: string | null;
  @IsArray() readonly dropped!: readonly DroppedRefusals[];
}

/** The reply to `sum-usage`. */
export class UsageReportReply implements UsageReport {
  @IsNatural() readonly from!: number;
  @IsNatural() readonly to!: number;
  @IsArray() readonly group_by!: readonly UsageKey[];
  @IsArray() readonly rows!: readonly UsageRow[];
  @IsObject() readonly total!: UsageFigures;
}
