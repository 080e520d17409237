import { ApiProperty } from '@nestjs/swagger';
import { TIME } from './fields.js';

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
