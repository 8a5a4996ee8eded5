import { isObject, type Body, type PlainOperation } from '#core'
import { compact, embeddingTexts } from '#adapter-kit'
import { pathSuffix } from './models.ts'

export const embeddings: PlainOperation = {
  endpoint: ({ channel, model }) => ({
    url: `${channel.baseUrl}/rpc/2.0/ai_custom/v1/wenxinworkshop/embeddings/${pathSuffix(model)}`,
    headers: {},
  }),
  body: ({ input, user }) => compact({ input: embeddingTexts(input), user_id: user }),
  answer: (body, { requestedModel }) => fromBaidu(body, requestedModel),
}

function fromBaidu(body: unknown, model: string): Body {
  const { data, usage } = isObject(body) ? body : {}
  return { object: 'list', data, model, usage }
}
