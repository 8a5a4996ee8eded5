import type { Body, OperationName } from '../../contract/adapter.ts'
import type { Text } from '../../contract/errors.ts'
import { channelTestUnsupported } from '../channel-errors.ts'
import type { TestCall } from './channel-probe.ts'
import { upstreamModel, type RoutedChannel } from '../routing/routed-channel.ts'

const fallbackModel = 'gpt-6-luna'
const embeddingNames = /embed|bge-|^m3e/i
const rerankNames = /rerank/i
/** Models that cannot be called as a chat; a call of their own kind would cost too much for a test. */
const untestableNames =
  /^(dall-e|gpt-image|imagen|whisper|tts-|mj_|suno_)|-tts|-live(?:-|$)|transcribe|realtime/i

/** The call to send to find out whether a channel works.
 *  @throws channel.test_unsupported; ChannelFault if the model mapping is a loop */
export function testCall(
  channel: RoutedChannel,
  model: string | undefined,
): Omit<TestCall, 'language'> {
  const { adapter } = channel
  if (adapter === undefined || adapter.isTestable === false) {
    throw channelTestUnsupported({ subject: adapter?.id ?? typeWords(channel.type) })
  }
  const requestedModel =
    model?.trim() || channel.testModel || channel.view.models[0] || fallbackModel
  const upstream = upstreamModel(channel, requestedModel)
  const operation = operationFor(upstream, Object.keys(adapter.operations) as OperationName[])
  if (operation === undefined) throw channelTestUnsupported({ subject: upstream })
  return { operation, requestedModel, upstreamModel: upstream, body: bodies[operation](upstream) }
}

/** Of a channel whose adapter is off. */
function typeWords(type: number): Text {
  return { en: `type ${type}`, zh: `渠道类型 ${type}` }
}

type TestOperation = 'chat' | 'embeddings' | 'rerank'

const bodies: Record<TestOperation, (model: string) => Body> = {
  chat: (model) => ({
    model,
    messages: [{ role: 'user', content: 'hi' }],
    stream: false,
    ...answerLimit(model),
  }),
  embeddings: (model) => ({ model, input: ['hello world'] }),
  rerank: (model) => ({ model, query: 'hi', documents: ['hi', 'hello world'] }),
}

function operationFor(model: string, offered: readonly OperationName[]): TestOperation | undefined {
  if (untestableNames.test(model)) return undefined
  if (rerankNames.test(model)) return offered.includes('rerank') ? 'rerank' : undefined
  const isEmbedding = embeddingNames.test(model) || !offered.includes('chat')
  const operation = isEmbedding ? 'embeddings' : 'chat'
  return offered.includes(operation) ? operation : undefined
}

/** Few tokens, but enough for models that reason before they answer. */
function answerLimit(model: string): Body {
  if (/^(o[134]|gpt-5)/.test(model)) return { max_completion_tokens: 64 }
  if (model.includes('thinking')) return model.includes('claude') ? {} : { max_tokens: 50 }
  return { max_tokens: model.includes('gemini') ? 300 : 10 }
}
