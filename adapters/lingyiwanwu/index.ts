// 01.AI (Yi) speaks the OpenAI dialect. Source: platform.lingyiwanwu.com/docs, pages "Chat completion" and "Error codes".
import { defineAdapter, type FailureClass, type RawFailure } from '#core'
import { openaiCompatible, openaiModelList, withoutDeveloperRole } from '#adapter-kit'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'lingyiwanwu',
  channelTypes: { 31: '01.AI' },
  baseUrl: 'https://api.lingyiwanwu.com',
  models: [
    'yi-lightning',
    'yi-large',
    'yi-medium',
    'yi-vision',
    'yi-vision-v2',
    'yi-medium-200k',
    'yi-spark',
    'yi-large-rag',
    'yi-large-fc',
    'yi-large-turbo',
    'yi-large-preview',
    'yi-large-rag-preview',
  ],
  prices,
  mark: 'yi',
  makes: ['yi-'],
  picker: { section: 'china', zh: '零一万物', aliases: ['Yi', 'lingyiwanwu', '01-ai'] },
  summary: 'Yi chat and vision models of 01.AI.',
  operations: openaiCompatible({
    operations: [],
    request: { chat: withoutDeveloperRole },
    streamUsage: 'client',
  }),
  classify,
  fetchModels: openaiModelList(),
})

// Only the message tells an empty account from a rate limit. (unconfirmed)
function classify({ status, message }: RawFailure): FailureClass | undefined {
  return status === 429 && /insufficient/i.test(message) ? 'insufficient-funds' : undefined
}
