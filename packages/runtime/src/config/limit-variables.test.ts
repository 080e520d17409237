import { describe, expect, it } from '@jest/globals';
import { limitVariables } from './limit-variables.js';
import { describeVariables, readConfig } from './read-config.js';

const table = limitVariables({
  calls: { what: 'Calls', per: 'minute', default: 5, variable: 'MAX_CALLS', error: '429', max: 9 },
  depth: { what: 'Depth', per: 'filter', default: 16, error: '400' },
  nodes: { what: 'Nodes', per: 'call', default: 'one each', variable: 'MAX_NODES', error: '503' },
  places: { what: 'Places', per: 'service', default: 'by the heap', error: '503' },
});

describe('the variables of a table of limits', () => {
  it('have its numbers by default, and null where the value follows from others', () => {
    expect(readConfig(table, {})).toEqual({ calls: 5, depth: 16, nodes: null });
  });

  it('are read within the bounds of the table', () => {
    const config = readConfig(table, { MAX_CALLS: '9', MAX_NODES: '3' });
    expect(config).toEqual({ calls: 9, depth: 16, nodes: 3 });
    expect(() => readConfig(table, { MAX_CALLS: '10' })).toThrow('MAX_CALLS must be');
  });

  it('are described unless they are fixed', () => {
    expect(describeVariables(table).map(({ name }) => name)).toEqual(['MAX_CALLS', 'MAX_NODES']);
  });
});
