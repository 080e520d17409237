import { runProgram } from './workspace/run-program.js';
import { chooseNode, environment, FORECOURT, isNewEnough } from './workspace/workspace-config.js';

// The command `forecourt` of a clone, of the package and of the image, under a Node that can run all commands.
if (!isNewEnough(process.versions.node)) {
  process.exitCode = await runUnderNewerNode();
} else if (environment['FORECOURT_STARTED_AT'] === undefined) {
  const { runCommandLine } = await import('./command-line.js');
  await runCommandLine();
} else {
  await import('./start/main.js');
}

async function runUnderNewerNode(): Promise<number> {
  try {
    const args = ['--enable-source-maps', FORECOURT, ...process.argv.slice(2)];
    return (await runProgram(chooseNode(), args, { env: environment, stdio: 'inherit' })).code;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
}
