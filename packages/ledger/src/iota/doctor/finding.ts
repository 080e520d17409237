/** One thing that was found out about a node, and what it means for this service. */
export interface Finding {
  readonly subject: string;
  readonly answer: string;
  readonly consequence: string;
  /** `missing`: the service cannot work with this node. `notice`: it works, and somebody should know. */
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
