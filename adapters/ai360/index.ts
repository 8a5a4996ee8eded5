// 360 Zhinao speaks the OpenAI dialect. Source: ai.360.com, "API reference".
import { defineAdapter, type FailureClass, type RawFailure } from '#core'
import { classTable, openaiCompatible, withoutDeveloperRole } from '#adapter-kit'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'ai360',
  channelTypes: { 19: '360' },
  baseUrl: 'https://api.360.cn',
  models: [
    '360zhinao3-o1.5',
    '360zhinao2-o1.5',
    '360zhinao-turbo',
    '360zhinao-pro-32k-thinking-vision',
    '360gpt-turbo',
    '360gpt-turbo-responsibility-8k',
    '360gpt-pro',
    '360gpt2-pro',
    '360GPT_S2_V9',
    'embedding-bert-512-v1',
    'embedding_s1_v1',
    'semantic_similarity_s1_v1',
    '360zhinao2-o1',
    '360gpt2-o1',
  ],
  prices,
  mark: 'ai360',
  makes: ['360gpt', '360zhinao', 'zhinao'],
  picker: { section: 'china', zh: '360 智脑', aliases: ['奇虎 360', 'Qihoo', 'zhinao'] },
  summary: '360 Zhinao chat and embedding models.',
  operations: openaiCompatible({
    operations: ['embeddings', 'images.generations'],
    request: { chat: withoutDeveloperRole },
    streamUsage: 'never',
  }),
  classify,
})

// The meaning of the digits: (unconfirmed)
const byCode = classTable({ 'bad-request': [1001], 'invalid-credentials': [1002] })

function classify(failure: RawFailure): FailureClass | undefined {
  // Only the message tells that the account is empty.
  if (/余额|(?<![a-z])balance(?![a-z])/i.test(failure.message)) return 'insufficient-funds'
  return byCode(failure)
}
