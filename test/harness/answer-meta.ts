import type { AnswerMeta } from '../../core/contract/dialect.ts'

/** What a writer of answers is told of the call; `told` where a test looks at it. */
export function answerMeta(told: Partial<AnswerMeta> = {}): AnswerMeta {
  return {
    requestId: 'r1',
    requestedModel: 'm',
    createdSeconds: 1,
    includeUsage: true,
    estimatedInput: 1,
    legacyFunctions: false,
    ...told,
  }
}
