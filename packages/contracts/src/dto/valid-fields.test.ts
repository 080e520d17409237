import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsOptional,
  Length,
  ValidateIf,
  ValidateNested,
  validateSync,
} from 'class-validator';
import fc from 'fast-check';
import { type Dto, hasValidFields } from './valid-fields.js';
import { IsPositiveInteger } from './is-integer.js';
import { IsArrayOfDtos, IsDto } from './is-dto.js';
import { IsName } from './is-text.js';

class Inner {
  @IsName()
  readonly name!: string;
}

class Base {
  @IsPositiveInteger()
  readonly count!: number;
}

class Outer extends Base {
  @IsDto(Inner)
  readonly inner!: Inner;

  @IsOptional()
  @IsArrayOfDtos(Inner)
  readonly more?: readonly Inner[] | null;

  @IsArray()
  @IsName({ each: true })
  readonly names!: readonly string[];

  @IsBoolean()
  readonly decided!: boolean;

  @ValidateIf(({ decided }: Outer) => decided)
  @IsIn(['yes', 'no'])
  readonly answer?: string;
}

class Nested {
  @ValidateNested()
  readonly inner!: Inner;
}

class OfRealLength {
  @Length(1, 3, { message: 'one to three' })
  readonly text!: string;
}

const fill = <T extends object>(dto: Dto<T>, fields: object): T => Object.assign(new dto(), fields);

const inner = fc.oneof(fc.constantFrom({ name: 'a' }, { name: '' }, {}, null, 'text'));
const fields = fc.record(
  {
    count: fc.constantFrom<unknown>(1, 2, 0, -1, 1.5, '1', null),
    inner,
    more: fc.option(fc.array(inner, { maxLength: 2 }), { nil: null }),
    names: fc.constantFrom<unknown>([], ['a', 'b'], ['a', ''], ['a', 1], 'a', null),
    decided: fc.constantFrom<unknown>(true, false, 'true'),
    answer: fc.constantFrom<unknown>('yes', 'no', 'perhaps', null),
  },
  { requiredKeys: [] },
);

describe('hasValidFields', () => {
  it('agrees with class-validator about every DTO', () => {
    let valid = 0;
    fc.assert(
      fc.property(fields, (given) => {
        const instance = fill(Outer, given);
        const expected = validateSync(instance).length === 0;
        expect(hasValidFields(Outer, instance)).toBe(expected);
        if (expected) valid += 1;
      }),
      { numRuns: 5_000 },
    );
    expect(valid).toBeGreaterThan(0);
  });

  it('follows the decorators of class-validator itself', () => {
    expect(hasValidFields(OfRealLength, fill(OfRealLength, { text: 'abc' }))).toBe(true);
    expect(hasValidFields(OfRealLength, fill(OfRealLength, { text: 'abcd' }))).toBe(false);
  });

  it('delegates unknown decorators, and classes without decorators, to class-validator', () => {
    class Bare {}
    expect(hasValidFields(Nested, fill(Nested, { inner: fill(Inner, { name: 'a' }) }))).toBe(false);
    expect(hasValidFields(Bare, new Bare())).toBe(false);
  });
});
