export const element = (id: string) => document.getElementById(id)!;

/** Adds names and values to a list, as text: what comes from elsewhere must not become part of the page. */
export function showIn(list: string, facts: Readonly<Record<string, string>>): void {
  const item = document.createElement('li');
  for (const [name, value] of Object.entries(facts)) {
    const code = document.createElement('code');
    code.textContent = value;
    const line = document.createElement('div');
    line.append(`${name} `, code);
    item.append(line);
  }
  element(list).prepend(item);
}

/** Shows what went wrong, or nothing. */
export function showProblem(error: unknown): void {
  const problem = element('problem');
  problem.hidden = error === null;
  problem.textContent = error instanceof Error ? error.message : String(error);
}
