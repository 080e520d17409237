import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { ReserveGasRequest } from '@forecourt/contracts';
import { IsOptional, IsString } from 'class-validator';
import { schemaOfBody } from './schema-of-body.js';

class Unusual {
  @IsString()
  text!: string;

  @IsOptional()
  anything?: unknown;

  free!: number;
}

describe('the JSON Schema of a request body', () => {
  it('has the limits of the validation rules', () => {
    const about = { gas_budget: 'Budget', reserve_duration_secs: 'Time', sponsor_address: 'Who' };
    expect(schemaOfBody(ReserveGasRequest, about)).toEqual({
      type: 'object',
      required: ['gas_budget', 'reserve_duration_secs'],
      properties: {
        gas_budget: { type: 'integer', minimum: 1, maximum: 1_999_999_999, description: 'Budget' },
        reserve_duration_secs: { type: 'integer', minimum: 1, maximum: 600, description: 'Time' },
        sponsor_address: {
          anyOf: [
            { type: 'string', minLength: 1, maxLength: 66, pattern: '^0x[0-9a-fA-F]{1,64}$' },
            { type: 'null' },
          ],
          description: 'Who',
        },
      },
    });
  });

  it('cannot be generated for an unknown rule or a field without rules', () => {
    const about = { text: '', anything: '', free: '' };
    expect(() => schemaOfBody(Unusual, about)).toThrow('no JSON Schema for the rule isString');
    expect(() => schemaOfBody(Unusual, { free: '' } as never)).toThrow('Unusual.free has no rules');
  });
});
