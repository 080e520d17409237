/** The first lines of a report in Markdown: its title, and the command that generates it. */
export function reportHeading(title: string, command: string): readonly string[] {
  return [`# ${title}`, '', 'Made by:', '', '```', command, '```', ''];
}
