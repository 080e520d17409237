/** The first lines of a report in Markdown: its title, and the command by which it is made again. */
export function reportHeading(title: string, command: string): readonly string[] {
  return [`# ${title}`, '', 'Made by:', '', '```', command, '```', ''];
}
