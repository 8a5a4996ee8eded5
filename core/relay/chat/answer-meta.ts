import type { AnswerMeta } from '../../contract/dialect.ts'
import type { ChatCall, PreparedChat } from './prepare/prepare-chat.ts'

/** What the writer of an answer must know of its call. */
export function metaOf(
  call: ChatCall,
  { hidesThoughts = false }: Pick<PreparedChat, 'hidesThoughts'> = {},
): AnswerMeta {
  return {
    requestId: call.requestId,
    requestedModel: call.requestedModel,
    createdSeconds: Math.floor(Date.now() / 1000),
    includeUsage: call.includeUsage,
    estimatedInput: call.promptEstimate,
    legacyFunctions:
      call.neutral?.legacyFunctions ??
      (call.body?.['functions'] !== undefined && call.body['tools'] === undefined),
    ...(call.neutral ? { request: call.neutral } : {}),
    hidesThoughts,
    drop: (field) => void call.dropped.add(field),
    previousId: call.previousId,
    keepOutput: call.keepOutput,
  }
}
