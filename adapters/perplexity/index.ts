// Perplexity speaks the OpenAI dialect without tools. Source: docs.perplexity.ai, API reference "Chat Completions".
import { defineAdapter, isObject, type AttemptContext, type Body } from '#core'
import { clamped, editList, openaiCompatible, withoutRefused } from '#adapter-kit'
import { toTurns } from './to-turns.ts'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'perplexity',
  channelTypes: { 27: 'Perplexity' },
  baseUrl: 'https://api.perplexity.ai',
  models: ['sonar', 'sonar-pro', 'sonar-reasoning-pro', 'sonar-deep-research', 'pplx-embed-v1-4b'],
  prices,
  mark: 'perplexity',
  makes: ['sonar', 'pplx', 'r1-1776'],
  picker: { aliases: ['Sonar', 'search', '搜索'] },
  summary: 'Sonar models of Perplexity, which search the web for their answers.',
  operations: openaiCompatible({
    operations: ['embeddings'],
    paths: { chat: '/chat/completions' },
    request: { chat: toPerplexity },
    chunk: withoutWholeMessage,
    capabilities: (model) => ({
      reasoning: model === 'sonar-deep-research' ? 'effort' : 'none',
      webSearch: true,
    }),
  }),
})

const REFUSED = ['tools', 'tool_choice', 'parallel_tool_calls', 'logit_bias', 'n'] as const
/** A top_p of 1 or more is refused. */
const MOST_TOP_P = 0.99

function toPerplexity(body: Body, { drop }: AttemptContext): Body {
  const taken = withoutRefused(body, REFUSED, drop)
  return clamped({ ...taken, messages: toTurns(body['messages']) }, 'top_p', { max: MOST_TOP_P })
}

/** Each chunk has the whole message so far beside its delta. */
function withoutWholeMessage(chunk: Body): Body {
  return editList(chunk, 'choices', (choice) => {
    if (choice['message'] === undefined || !isObject(choice['delta'])) return choice
    const { message: _whole, ...rest } = choice
    return rest
  })
}
