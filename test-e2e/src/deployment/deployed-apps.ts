import type { App } from '@forecourt/testing/system';
import { APPS, type Behaviour } from './app-configurations.js';
import { imageDefaults } from './dockerfile.js';
import type { Manifest } from './manifest.js';
import { sampleSecret } from './sample-secrets.js';
import { withSecretsIn, type Workload, workloadsOf } from './workload.js';

/** A workload in the manifests that runs an app of this project, with the app's behaviour. */
export interface DeployedApp extends Workload {
  readonly app: App;
  /** Without the variables of the image. */
  readonly environment: Readonly<Record<string, string>>;
  readonly behaviour: Behaviour;
}

const isApp = (name: string): name is App => name in APPS;

/** Every app; samples of their Secrets are written into a folder. */
export function deployedApps(objects: readonly Manifest[], folder: string): DeployedApp[] {
  return workloadsOf(objects).flatMap((workload) => {
    const { name: app } = workload;
    if (!isApp(app)) return [];
    const environment = withSecretsIn(folder, workload, objects, (file) =>
      sampleSecret(objects, file),
    );
    const seen = { ...imageDefaults().environment, ...environment };
    return [{ ...workload, app, environment, behaviour: APPS[app].behave(seen) }];
  });
}
