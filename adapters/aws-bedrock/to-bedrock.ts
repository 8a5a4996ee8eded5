// Claude's own body without what Bedrock takes from the address. Source: docs.aws.amazon.com/bedrock, "Anthropic Claude Messages API".
import { isObject, type AttemptContext, type Body } from '#core'
import {
  claudeHeaders,
  inlineAnthropicFiles,
  refuseThread,
  without,
  withoutRefused,
} from '#adapter-kit'

const VERSION = 'bedrock-2023-05-31'
/** Anthropic's own API alone knows these; Bedrock has a header for its tiers, and its region in the address. */
const FOREIGN = ['service_tier', 'inference_geo'] as const

export async function toBedrock(body: Body, context: AttemptContext): Promise<Body> {
  const betas = claudeHeaders(context)['anthropic-beta']
  const accepted = withoutRefused(
    without(refuseThread(body), 'model', 'stream'),
    FOREIGN,
    context.drop,
  )
  const rest = await inlineAnthropicFiles(accepted, context)
  return {
    ...rest,
    ...(isObject(rest['tool_choice'])
      ? { tool_choice: plainChoice(rest['tool_choice'], context) }
      : {}),
    anthropic_version: VERSION,
    ...(betas === undefined ? {} : { anthropic_beta: betas.split(',').map((beta) => beta.trim()) }),
  }
}

/** `disable_parallel_tool_use` is refused. */
function plainChoice(choice: Body, { drop }: Pick<AttemptContext, 'drop'>): Body {
  const { type, name, disable_parallel_tool_use: isOneAtATime } = choice
  if (isOneAtATime === true) drop('parallel_tool_calls')
  return name === undefined ? { type } : { type, name }
}
