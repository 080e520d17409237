import { Command } from 'commander';

const SHELLS = ['bash', 'zsh'] as const;
type Shell = (typeof SHELLS)[number];

/** `completion`: prints what makes a shell complete the commands of `program`. */
export function completionCommand(program: Command): Command {
  return new Command('completion')
    .description('print the completion of these commands for bash or zsh')
    .argument('<shell>', SHELLS.join(' or '))
    .addHelpText('after', '\nFor bash: source <(forecourt completion bash)')
    .action((shell: string) => {
      if (!SHELLS.some((one) => one === shell)) throw new Error('The shell must be bash or zsh');
      console.log(completionOf(program, shell as Shell));
    });
}

function completionOf(program: Command, shell: Shell): string {
  const name = program.name();
  const cases = program.commands.map((command) => {
    const options = command.options.map(({ long }) => long).join(' ');
    return `    ${command.name()}) COMPREPLY=($(compgen -W "${options} --help" -- "$word")) ;;`;
  });
  const commands = program.commands.map((command) => command.name()).join(' ');
  const bash = [
    `_${name}() {`,
    '  local word="${COMP_WORDS[COMP_CWORD]}"',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W "${commands}" -- "$word"))`,
    '    return',
    '  fi',
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    '  esac',
    '}',
    `complete -F _${name} ${name}`,
  ].join('\n');
  return shell === 'bash' ? bash : `autoload -U +X bashcompinit && bashcompinit\n${bash}`;
}
