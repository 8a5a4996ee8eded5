// MokaAI serves the M3E embedding models. Source: platform.moka.ai.
import { defineAdapter, type Body } from '#core'
import { openaiCompatible, without } from '#adapter-kit'

export default defineAdapter({
  id: 'mokaai',
  channelTypes: { 44: 'MokaAI M3E' },
  baseUrl: 'https://api.moka.ai',
  models: ['m3e-large', 'm3e-base', 'm3e-small'],
  makes: ['m3e'],
  picker: { section: 'china', zh: 'MokaAI M3E 向量', aliases: ['embeddings', '向量', '魔搭'] },
  summary: 'M3E embedding models; embeddings only.',
  operations: openaiCompatible({
    chat: false,
    operations: ['embeddings'],
    paths: { embeddings: '/embeddings' },
    request: { embeddings: toMoka },
    answer: { embeddings: (body, { requestedModel }) => ({ ...body, model: requestedModel }) },
  }),
})

// MokaAI accepts a list of texts only.
function toMoka(body: Body): Body {
  const { input } = body
  const bare = without(body, 'encoding_format', 'dimensions', 'user')
  return Array.isArray(input) ? bare : { ...bare, input: [input] }
}
