import type { Body } from '../../contract/adapter.ts'
import type { Usage } from '../../contract/neutral.ts'
import { isObject } from '../../contract/json.ts'
import type { RelayCall } from '../call/relay-call.ts'

/** Clients of embeddings and rerank read `usage` from every answer; if the upstream reported none, they get what is billed. */
export function fillUsage(call: Pick<RelayCall, 'operation'>, answer: Body, usage: Usage): Body {
  if (call.operation !== 'embeddings' && call.operation !== 'rerank') return answer
  const reported = answer['usage']
  if (isObject(reported) && Number(reported['prompt_tokens']) > 0) return answer
  return {
    ...answer,
    usage: {
      ...(isObject(reported) ? reported : {}),
      prompt_tokens: usage.input,
      ...(call.operation === 'rerank' ? { completion_tokens: 0 } : {}),
      total_tokens: usage.input,
    },
  }
}
