import { isObject, type Body } from '#core'

/** xAI leaves reasoning out of completion_tokens, while OpenAI's clients and our bill take it as included: the total is right. */
export function withWholeCompletion(body: Body): Body {
  const { usage } = body
  if (!isObject(usage)) return body
  const { prompt_tokens: prompt, total_tokens: total } = usage
  if (typeof prompt !== 'number' || typeof total !== 'number') return body
  const completion = total - prompt
  if (completion <= 0 || completion === usage['completion_tokens']) return body
  return { ...body, usage: { ...usage, completion_tokens: completion } }
}
