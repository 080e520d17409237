import { IsArray, IsBoolean, IsObject, IsOptional } from 'class-validator';
import { IsDto } from '../dto/index.js';
import { Viewer } from './history-messages.js';

/**
 * The slot of the refused requests that gateways report to those who follow changes, beside the slots of sponsors. Its keys are
 * `followed` and `changes` of a pool (coin-store, `lua/includes/key.lua`).
 */
export const REFUSALS_STREAM = 'refusals';
/** String in Redis: somebody follows refused requests. */
export const REFUSALS_FOLLOWED_KEY = `fc:{${REFUSALS_STREAM}}:followed`;
/** Stream in Redis: the latest refused requests (`RefusedRequest`) while somebody follows them. */
export const REFUSED_CHANGES_KEY = `fc:{${REFUSALS_STREAM}}:changes`;
/** About how many of them are kept. */
export const KEPT_REFUSED_CHANGES = 5_000;

/** The place in each stream after which somebody follows it: name of the stream → id of an entry. */
export type StreamPlaces = Readonly<Record<string, string>>;

/** `read-changes`. The next changes in the streams of all sponsors, and in `REFUSALS_STREAM`. */
export class ReadChangesMessage {
  /** A stream that is not named is new since. */
  @IsObject() readonly after!: StreamPlaces;

  /** Streams that are not named are followed from their end. */
  @IsOptional() @IsBoolean() readonly fromEnd?: boolean;

  /** Only what this viewer may see; coin-pools of an earlier version send all. */
  @IsOptional() @IsDto(Viewer) readonly viewer?: Viewer;
}

/** The next changes of one stream. */
export interface ChangesOfStream {
  /** The index of the sponsor, or `REFUSALS_STREAM`. */
  readonly name: string;
  /** Address; null: refused requests. */
  readonly sponsor: string | null;
  /** Changes between the place and the first of these are lost. */
  readonly isGap: boolean;
  /** `StoredSponsorship` or `RefusedRequest`, as flat pairs of field and text. */
  readonly changes: readonly { readonly id: string; readonly pairs: readonly string[] }[];
  /** The place to go on from. */
  readonly place: string;
  /** There may be more. */
  readonly isPart: boolean;
}

/** The reply to `read-changes`. */
export class ReadChangesReply {
  @IsArray() @IsObject({ each: true }) readonly streams!: readonly ChangesOfStream[];
}
