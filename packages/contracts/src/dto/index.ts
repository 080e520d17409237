export { describeArrived } from './describe-arrived.js';
export { IsAmount } from './is-amount.js';
export { IsBase64Text } from './is-base64-text.js';
export { IsArrayOfDtos, IsDto } from './is-dto.js';
export { IsIntegerBetween, IsNatural, IsPositiveInteger } from './is-integer.js';
export { IsOneOf } from './is-one-of.js';
export {
  ADDRESS,
  DECIMAL,
  IsName,
  IsText,
  MAX_MESSAGE_LENGTH,
  type TextOptions,
  TRACEPARENT,
} from './is-text.js';
export { checkDto, readDto, readJsonDto } from './read-dto.js';
export type { Dto } from './valid-fields.js';
