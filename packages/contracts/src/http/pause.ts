import { IsOptional } from 'class-validator';
import { IsAddress } from '../validation/is-address.js';
import { IsReason } from '../validation/is-reason.js';
import { IsText } from '../validation/is-text.js';

const TOKEN_NAME = { maxLength: 64, format: [/^[\w.-]+$/, 'the name of a token,'] } as const;

/** The scope of a pause: a sponsor, a token, or everything if neither is given. */
export class ResumeRequest {
  @IsOptional()
  @IsAddress()
  sponsor_address?: string | null;

  /** The name of its entry. */
  @IsOptional()
  @IsText(TOKEN_NAME)
  token?: string | null;
}

/** Body of `POST /v1/pause`. */
export class PauseRequest extends ResumeRequest {
  /** Shown to callers. */
  @IsReason()
  reason!: string;
}

/** Something that is paused. */
export interface Pause {
  /** `everything`, `sponsor <address>` or `token <name>`. */
  readonly scope: string;
  readonly reason: string;
  /** Name of the operator's token. */
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** Answer of `POST /v1/pause`, `POST /v1/resume` and `GET /v1/pauses`: all current pauses. */
export interface PausesResponse {
  readonly result: { readonly paused: readonly Pause[] };
}
