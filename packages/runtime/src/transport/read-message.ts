import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { readDto, requireKnownMessage } from '@forecourt/contracts';

/**
 * Reads every message as the DTO that its handler names. Throws COIN_POOL_OUTDATED for one of a newer
 * version, INVALID_REQUEST naming each invalid field.
 */
@Injectable()
export class ReadMessage implements PipeTransform {
  transform(message: unknown, { metatype }: ArgumentMetadata): unknown {
    requireKnownMessage(message);
    return metatype ? readDto(metatype, message) : message;
  }
}
