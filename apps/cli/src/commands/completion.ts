import { Argument, Command } from 'commander';

/** `completion`: prints the script with which a shell completes the commands of `program`. */
export function completionCommand(program: Command): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh']))
    .addHelpText('after', '\nFor bash: source <(forecourt completion bash)')
    .action((shell: string) => console.log(completionOf(program, shell)));
}

function completionOf(program: Command, shell: string): string {
  const name = program.name();
  const cases = program.commands.map((command) => {
    const options = command.options.map(({ long }) => long);
    const words = [...command.commands.map((one) => one.name()), ...options, '--help'].join(' ');
    return `    ${command.name()}) COMPREPLY=($(compgen -W "${words}" -- "$word")) ;;`;
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
