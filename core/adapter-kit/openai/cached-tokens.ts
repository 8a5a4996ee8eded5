import type { Body } from '../../contract/adapter.ts'
import { isObject } from '../../contract/json.ts'

/** For answers and chunks of an upstream that counts cached tokens in a field of its own: tells them where OpenAI's clients read them. */
export function withCachedTokens(field: string): (body: Body) => Body {
  return (body) => {
    const { usage } = body
    if (!isObject(usage) || usage['prompt_tokens_details'] !== undefined) return body
    const cached = usage[field]
    if (typeof cached !== 'number') return body
    return { ...body, usage: { ...usage, prompt_tokens_details: { cached_tokens: cached } } }
  }
}
