import { ChannelFault, type AttemptContext } from '#core'
import { claudeName, familyOf } from './models.ts'
import { hostOf, regionOf } from './region.ts'
import { isApiKey, readServiceAccount } from './service-account.ts'

type AddressContext = Pick<AttemptContext, 'channel' | 'model' | 'requestedModel' | 'isStream'>

/** The address of a chat call; the model's family decides. */
export function chatAddress(context: AddressContext): string {
  const { model, isStream } = context
  switch (familyOf(model)) {
    case 'anthropic':
      return modelAddress(
        'anthropic',
        claudeName(model),
        isStream ? 'streamRawPredict' : 'rawPredict',
        context,
      )
    case 'open': {
      const { base, place } = placeOf(context)
      return `${base}/v1beta1/${place}endpoints/openapi/chat/completions`
    }
    case 'google':
      return googleAddress(isStream ? 'streamGenerateContent?alt=sse' : 'generateContent', context)
  }
}

export function googleAddress(action: string, context: AddressContext): string {
  return modelAddress('google', context.model, action, context)
}

/** The WebSocket of Gemini's Live API, and what its first message calls the model. */
export function liveAddress(context: AddressContext): { url: string; model: string } {
  const { base, place } = placeOf(context)
  return {
    url: `${base.replace(/^http/, 'ws')}/ws/google.cloud.aiplatform.v1beta1.LlmBidiService/BidiGenerateContent`,
    model: `${place}publishers/google/models/${context.model}`,
  }
}

/** The address for counting tokens; open models have none. */
export function countAddress(context: AddressContext): string {
  return familyOf(context.model) === 'anthropic'
    ? modelAddress('anthropic', 'count-tokens', 'rawPredict', context)
    : googleAddress('countTokens', context)
}

function modelAddress(
  publisher: string,
  model: string,
  action: string,
  context: AddressContext,
): string {
  const { base, place } = placeOf(context)
  return `${base}/v1/${place}publishers/${publisher}/models/${model}:${action}`
}

/** With an API key there is neither project nor region; that `predict` takes such a key, as generateContent does: (unconfirmed). @throws ChannelFault for a model that such a key does not reach */
function placeOf({ channel, model, requestedModel }: AddressContext): {
  base: string
  place: string
} {
  if (isApiKey(channel)) {
    if (familyOf(model) !== 'google') {
      throw new ChannelFault('api_not_implemented', {
        en: 'An API key of Vertex AI reaches Gemini models only; others need a service account.',
        zh: 'Vertex AI 的 API 密钥仅能调用 Gemini 模型，其他模型需要服务账号。',
      })
    }
    return { base: channel.baseUrl || hostOf('global'), place: '' }
  }
  const region = regionOf(channel, requestedModel)
  const { projectId } = readServiceAccount(channel)
  return {
    base: channel.baseUrl || hostOf(region),
    place: `projects/${encodeURIComponent(projectId)}/locations/${region}/`,
  }
}
