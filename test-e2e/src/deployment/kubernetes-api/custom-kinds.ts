import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type Manifest, readYaml } from '../manifest.js';
import { MODULES } from './build-servers.js';

/** Module → its definitions of the kinds that the manifests use. */
const DEFINITIONS: Readonly<Record<string, readonly string[]>> = {
  'github.com/kedacore/keda/v2': [
    'config/crd/bases/keda.sh_scaledobjects.yaml',
    'config/crd/bases/keda.sh_triggerauthentications.yaml',
  ],
  'github.com/prometheus-operator/prometheus-operator': [
    'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml',
    'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  ],
};

/**
 * The definitions that KEDA and the Prometheus Operator install into a cluster, at the versions of a Go
 * module.
 */
export function readCustomKinds(): Manifest[] {
  return Object.entries(DEFINITIONS).flatMap(([module, files]) => {
    const folder = downloadModule(module);
    return files.flatMap((file) => readYaml(join(folder, file)) as Manifest[]);
  });
}

/** The folder of a module's sources. Throws `Error` if Go cannot load it, or its checksum differs. */
function downloadModule(module: string): string {
  const args = ['mod', 'download', '-json', module];
  const cwd = join(MODULES, 'definitions');
  const answer = execFileSync('go', args, { cwd, encoding: 'utf8' });
  return (JSON.parse(answer) as { Dir: string }).Dir;
}
