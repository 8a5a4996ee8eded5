// Together AI speaks the OpenAI dialect. Source: docs.together.ai, pages "OpenAI compatibility", "Images" and "Rerank".
import { defineAdapter, UpstreamError, type Body } from '#core'
import {
  joinUrl,
  namesIn,
  openaiCompatible,
  readFailure,
  jinaRerankAnswer,
  without,
  withoutDeveloperRole,
} from '#adapter-kit'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'together',
  channelTypes: { 1001: 'Together' },
  baseUrl: 'https://api.together.xyz',
  // Names as of the provider's catalogue (unconfirmed).
  models: [
    'moonshotai/Kimi-K3',
    'deepseek-ai/DeepSeek-V4-Pro-0813',
    'deepseek-ai/DeepSeek-V4.1-Flash',
    'zai-org/GLM-5.3',
    'Qwen/Qwen3.7-Max',
    'openai/gpt-oss-120b',
    'BAAI/bge-base-en-v1.5',
    'black-forest-labs/FLUX.1-schnell',
  ],
  mark: 'together',
  makes: ['together'],
  picker: { aliases: ['Together AI'] },
  summary: 'Open chat, embedding, rerank and image models on Together AI.',
  prices,
  operations: openaiCompatible({
    operations: ['completions', 'embeddings', 'images.generations', 'rerank'],
    request: { chat: withoutDeveloperRole, 'images.generations': toImages },
    answer: { rerank: jinaRerankAnswer },
  }),
  async fetchModels({ baseUrl, key }, http, options) {
    const { status, body } = await http.json(
      {
        method: 'GET',
        url: joinUrl(baseUrl, '/v1/models'),
        headers: { authorization: `Bearer ${key}` },
      },
      options,
    )
    if (status !== 200) throw new UpstreamError(readFailure(status, body))
    // The list comes without the wrapping object.
    return namesIn(body, 'id')
  },
})

/** Sizes are two numbers, and the words for formats differ. Source: together-ai, resources/images. */
function toImages(body: Body): Body {
  const renamed =
    body['response_format'] === 'b64_json' ? { ...body, response_format: 'base64' } : body
  const [width, height] =
    typeof renamed['size'] === 'string' ? renamed['size'].split('x').map(Number) : []
  return width && height ? { ...without(renamed, 'size'), width, height } : renamed
}
