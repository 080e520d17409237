import { describe, expect, it } from '@jest/globals';
import { requireNode } from './workspace-config.js';

describe('the Node of a system without a packaged one', () => {
  it.each(['22.13.0', '22.20.1', '24.0.0', '100.1.0'])('may be %s', (version) => {
    expect(() => requireNode(version)).not.toThrow();
  });

  it.each(['20.19.5', '21.9.0', '22.12.1'])(
    'may not be %s, and the message names what it may be',
    (version) => {
      expect(() => requireNode(version)).toThrow(
        new RegExp(`Node 22\\.13 or newer is needed; this is ${version}$`),
      );
    },
  );
});
