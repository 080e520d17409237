import ts from 'typescript';
import type { Replacement } from './mutation.js';

const { SyntaxKind } = ts;

const OPERATORS: Readonly<Partial<Record<ts.SyntaxKind, string>>> = {
  [SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [SyntaxKind.LessThanToken]: '<=',
  [SyntaxKind.LessThanEqualsToken]: '<',
  [SyntaxKind.GreaterThanToken]: '>=',
  [SyntaxKind.GreaterThanEqualsToken]: '>',
  [SyntaxKind.AmpersandAmpersandToken]: '||',
  [SyntaxKind.BarBarToken]: '&&',
  [SyntaxKind.PlusToken]: '-',
  [SyntaxKind.MinusToken]: '+',
  [SyntaxKind.AsteriskToken]: '/',
  [SyntaxKind.PlusEqualsToken]: '-=',
  [SyntaxKind.MinusEqualsToken]: '+=',
};

/**
 * Calls that decide nothing: of `passFailpoint`, and of methods of a `logger` or of `metrics`. End-to-end
 * tests cover them.
 */
const OBSERVING = /^passFailpoint$|(?:^|[.#])(?:logger|metrics)\.[\w.]+$/;

/**
 * Every possible change of a comparison, a logical or arithmetic operator, a condition, a boolean or a call
 * for its effect. Excluded are arithmetic on text, which the compiler would refuse, and `OBSERVING` calls
 * with their arguments.
 */
export function mutateTypescript(text: string): Replacement[] {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const found: Replacement[] = [];
  const replace = (node: ts.Node, by: string) =>
    void found.push({ start: node.getStart(source), end: node.getEnd(), text: by });
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isDecorator(node)) return;
    if (ts.isExpressionStatement(node) && isObserving(node.expression, source)) return;
    if (ts.isBinaryExpression(node) && !isTextual(node)) {
      const by = OPERATORS[node.operatorToken.kind];
      if (by !== undefined) replace(node.operatorToken, by);
    }
    if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) {
      replace(node, node.operand.getText(source));
    }
    if (node.kind === SyntaxKind.TrueKeyword) replace(node, 'false');
    if (node.kind === SyntaxKind.FalseKeyword) replace(node, 'true');
    if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
      const condition = ts.isIfStatement(node) ? node.expression : node.condition;
      replace(condition, 'true');
      replace(condition, 'false');
    }
    if (ts.isExpressionStatement(node) && isCall(node.expression)) replace(node, ';');
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isTextual({ left, right }: ts.BinaryExpression): boolean {
  return [left, right].some(
    (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side),
  );
}

function isObserving(expression: ts.Expression, source: ts.SourceFile): boolean {
  return ts.isCallExpression(expression) && OBSERVING.test(expression.expression.getText(source));
}

function isCall(expression: ts.Expression): boolean {
  const inner = ts.isAwaitExpression(expression) ? expression.expression : expression;
  return ts.isCallExpression(inner) && inner.expression.kind !== SyntaxKind.SuperKeyword;
}
