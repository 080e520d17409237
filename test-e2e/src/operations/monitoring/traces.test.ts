import { describe, expect, it } from '@jest/globals';
import { useStarted } from '@forecourt/testing/jest';
import { buildSponsored, call, reserved } from '../../support/application.js';
import { useSystem } from '../../support/use-system.js';
import { type ReceivedSpan, startTraceCollector } from './trace-collector.js';

const collector = useStarted(startTraceCollector, (started) => started.stop());
const system = useSystem(() => ({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint } }));

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

/** A span's ancestors, nearest first, as `service: name`. */
function lineOf(span: ReceivedSpan): string[] {
  const parent = collector.spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent ? [`${parent.service}: ${parent.name}`, ...lineOf(parent)] : [];
}

describe('tracing', () => {
  it('connects the caller, gateway, coin-pool, queue, executor and ledger in one trace', async () => {
    const { application } = system;
    const reservation = await reserved(application);
    const transaction = await buildSponsored(application, reservation);
    const body = {
      reservation_id: reservation.reservation_id,
      tx_bytes: transaction.tx_bytes,
      user_sig: transaction.user_sig,
    };
    const headers = { traceparent: `00-${TRACE}-${SPAN}-01` };
    const answer = await call(application, 'POST', '/v1/execute_tx', body, headers);
    expect(answer.status).toBe(200);

    const ofTrace = () => collector.spans.filter(({ traceId }) => traceId === TRACE);
    const find = (name: string) => ofTrace().find((span) => span.name === name);
    await system.until(async () => {
      return ['submit', 'settle', 'POST /v1/execute_tx'].every((name) => find(name));
    });
    expect(find('POST /v1/execute_tx')).toMatchObject({ service: 'gateway', parentSpanId: SPAN });
    await system.until(async () => find('process execute-transaction') !== undefined);
    expect(lineOf(find('submit')!)).toEqual([
      'executor: execute transaction',
      'executor: process execute-transaction',
      'gateway: coin-pool claim-reservation',
      'gateway: POST /v1/execute_tx',
    ]);
    expect(find('submit')?.service).toBe('executor');
    expect(find('coin-pool claim-reservation')?.service).toBe('gateway');
    const attributes = find('execute transaction')?.attributes;
    const digest = { key: 'digest', value: { stringValue: transaction.digest } };
    expect(attributes).toContainEqual(digest);
    expect([...collector.posted]).toEqual(['POST /v1/traces application/json']);
  });

  it('makes no spans of probes, and none with a token or a signature', async () => {
    expect(collector.spans.filter(({ name }) => /\/(health|metrics)/.test(name))).toEqual([]);
    const all = JSON.stringify(collector.spans);
    expect(all).not.toContain(system.application.token);
    expect(all).not.toContain(system.sponsorSecret);
  });

  it('does not disturb services if the collector is down', async () => {
    await collector.stop();
    const reservation = await reserved(system.application);
    const transaction = await buildSponsored(system.application, reservation);
    const { tx_bytes, user_sig } = transaction;
    const body = { reservation_id: reservation.reservation_id, tx_bytes, user_sig };
    expect((await call(system.application, 'POST', '/v1/execute_tx', body)).status).toBe(200);
    for (const service of [...system.services('gateway'), ...system.services('executor')]) {
      await service.stop();
      expect(await service.exited()).toBe(0);
    }
  });
});
