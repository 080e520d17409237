import type { SyntaxNode, Tree } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';

/** The part of an expression that selects one metric. */
interface Selected {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

export interface Matcher {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
}

/** A parsed PromQL expression. */
export interface Expression {
  readonly selected: readonly Selected[];
  /** Labels of its by-, without-, on- and group-clauses. */
  readonly grouped: readonly string[];
}

/** Reads PromQL with the parser of Prometheus' own web interface. Throws on syntax errors. */
export function readPromql(text: string): Expression {
  const tree: Tree = parser.parse(text);
  const selected: Selected[] = [];
  const grouped: string[] = [];
  const textOf = ({ from, to }: SyntaxNode) => text.slice(from, to);
  tree.iterate({
    enter({ type, node }) {
      if (type.isError) throw new Error(`not PromQL at ${node.from}: ${text}`);
      if (type.name === 'VectorSelector') {
        const metric = node.getChild('Identifier');
        if (!metric) throw new Error(`a selector without a metric at ${node.from}: ${text}`);
        const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
        selected.push({
          metric: textOf(metric),
          matchers: matchers.map((matcher) => ({
            label: textOf(matcher.getChild('LabelName')!),
            operator: textOf(matcher.getChild('MatchOp')!),
            value: textOf(matcher.getChild('StringLiteral')!).slice(1, -1),
          })),
        });
      }
      if (type.name === 'GroupingLabels') {
        grouped.push(...node.getChildren('LabelName').map(textOf));
      }
    },
  });
  return { selected, grouped };
}
