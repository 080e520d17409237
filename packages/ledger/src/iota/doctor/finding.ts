/** A fact about a node, and its meaning for this service. */
export interface Finding {
  readonly subject: string;
  readonly answer: string;
  readonly consequence: string;
  /**
   * `missing`: the service cannot use this node. `notice`: the service works, and the operator
   * should know.
   */
  readonly verdict: 'fine' | 'notice' | 'missing';
}

export const fine = (subject: string, answer: string, consequence: string): Finding => ({
  subject,
  answer,
  consequence,
  verdict: 'fine',
});

export const notice = (subject: string, answer: string, consequence: string): Finding => ({
  subject,
  answer,
  consequence,
  verdict: 'notice',
});

export const missing = (subject: string, answer: string, consequence: string): Finding => ({
  subject,
  answer,
  consequence,
  verdict: 'missing',
});
