import { isObject, type Body } from '#core'
import { tokens } from '#adapter-kit'

/** A bot asks several models; where the total is missing, their usages are summed. */
export function withBotUsage(body: Body): Body {
  if (isObject(body.usage) || !isObject(body.bot_usage)) return body
  const { model_usage: models } = body.bot_usage
  if (!Array.isArray(models)) return body
  const sum = (field: string) =>
    models.reduce((total: number, model) => total + (isObject(model) ? tokens(model[field]) : 0), 0)
  const input = sum('prompt_tokens')
  const output = sum('completion_tokens')
  return {
    ...body,
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  }
}
