import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { readDto } from '@forecourt/contracts';

/** Reads every message as the DTO that its handler names. Throws INVALID_REQUEST naming each field that is wrong. */
@Injectable()
export class ReadMessage implements PipeTransform {
  transform(message: unknown, { metatype }: ArgumentMetadata): unknown {
    return metatype ? readDto(metatype, message) : message;
  }
}
