import { ApiProperty } from '@nestjs/swagger';
import { AddressField, AtMostOneOf, ReasonField, TextField, TIME } from './fields.js';

export const TOKEN_NAME = { maxLength: 64, format: [/^[\w.-]+$/, 'the name of a token,'] } as const;

/** Body of `POST /v1/resume`. The scope of a pause: a sponsor, a token, or everything if neither is given. */
@AtMostOneOf('sponsor_address', 'token')
export class ResumeRequest {
  @AddressField({
    description: 'A sponsor; without this and `token`, everything.',
    optional: true,
  })
  sponsor_address?: string | null;

  @TextField(TOKEN_NAME, { description: 'The name of a token.', example: 'shop', optional: true })
  token?: string | null;
}

/** Body of `POST /v1/pause`. */
@AtMostOneOf('sponsor_address', 'token')
export class PauseRequest extends ResumeRequest {
  @ReasonField('Shown to callers.') reason!: string;
}

/** Something that is paused. */
export class Pause {
  @ApiProperty({
    description: '`everything`, `sponsor <address>` or `token <name>`.',
    example: 'token shop',
  })
  readonly scope!: string;

  @ApiProperty({ example: 'unusual spending' }) readonly reason!: string;

  @ApiProperty({ description: 'Name of the operator’s token.', example: 'ops' })
  readonly by!: string;

  @ApiProperty(TIME) readonly since!: number;
}

class Paused {
  @ApiProperty({ type: [Pause] }) readonly paused!: readonly Pause[];

  @ApiProperty({
    type: [String],
    description: 'What may be wrong with the pause that was just made, in sentences.',
    example: [],
  })
  readonly warnings!: readonly string[];
}

/** Answer of `POST /v1/pause`, `POST /v1/resume` and `GET /v1/pauses`: all current pauses. */
export class PausesResponse {
  @ApiProperty() readonly result!: Paused;
}

/** An action of an operator, as it was recorded. */
export class RecordedAction {
  @ApiProperty(TIME) readonly at!: number;
  @ApiProperty({ description: 'Name of the operator’s token.', example: 'ops' })
  readonly operator!: string;
  @ApiProperty({ example: 'pause' }) readonly action!: string;
  @ApiProperty({ example: 'token shop' }) readonly scope!: string;
  @ApiProperty({ description: 'Empty for actions without a reason.', example: 'unusual spending' })
  readonly reason!: string;
}

class RecordedActions {
  @ApiProperty({ type: [RecordedAction], description: 'Newest first.' })
  readonly actions!: readonly RecordedAction[];
}

/** Answer of `GET /v1/actions`. */
export class ActionsResponse {
  @ApiProperty() readonly result!: RecordedActions;
}
