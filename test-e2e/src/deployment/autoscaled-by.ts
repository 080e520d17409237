import { type Manifest, nameOf } from './manifest.js';

/** Deployment → the object that scales it. Throws if two objects do, or if the deployment does not exist. */
export function autoscaledBy(objects: readonly Manifest[]): Record<string, string[]> {
  const scaled: Record<string, string[]> = {};
  for (const one of objects) {
    if (one.kind !== 'HorizontalPodAutoscaler' && one.kind !== 'ScaledObject') continue;
    const { name, kind = 'Deployment' } = (
      one['spec'] as { scaleTargetRef: { name: string; kind?: string } }
    ).scaleTargetRef;
    if (!objects.some((other) => nameOf(other) === `${kind}/${name}`)) {
      throw new Error(`${nameOf(one)} scales ${kind}/${name}, which does not exist`);
    }
    if (scaled[name]) throw new Error(`${name} is scaled twice`);
    scaled[name] = [nameOf(one)];
  }
  return scaled;
}
