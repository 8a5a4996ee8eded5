import { isObject, type Body } from '#core'

/** xAI's completion_tokens exclude reasoning, which OpenAI's include; total_tokens is right. */
export function withWholeCompletion(body: Body): Body {
  const { usage } = body
  if (!isObject(usage)) return body
  const { prompt_tokens: prompt, total_tokens: total } = usage
  if (typeof prompt !== 'number' || typeof total !== 'number') return body
  const completion = total - prompt
  if (completion <= 0 || completion === usage['completion_tokens']) return body
  return { ...body, usage: { ...usage, completion_tokens: completion } }
}
