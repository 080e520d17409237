import { describe, expect, it } from '@jest/globals';
import { autoscaledBy } from '../autoscaled-by.js';
import { describeDeployment } from '../describe-deployment.js';
import { COMMITTED, readVariant, VARIANTS } from '../variants.js';

for (const name of Object.keys(VARIANTS)) {
  if (!COMMITTED.includes(name)) describeDeployment(name);
}

describe('the number of replicas', () => {
  it('comes from a metric instead for executors, and never from both', () => {
    const byMetric = readVariant('production-openshift');
    expect(autoscaledBy(byMetric)).toMatchObject({
      executor: ['HorizontalPodAutoscaler/executor'],
    });
    const both = [...readVariant('production'), ...byMetric];
    expect(() => autoscaledBy(both)).toThrow('is scaled twice');
  });
});
