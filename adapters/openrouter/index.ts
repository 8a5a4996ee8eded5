// OpenRouter speaks the OpenAI dialect in front of many providers. Source: openrouter.ai/docs.
import { defineAdapter, isObject, UpstreamError, type Body } from '#core'
import { amountOf, askWithKey, openaiCompatible, openaiModelList } from '#adapter-kit'
import { withReasoningText, withSearch } from './from-openrouter.ts'
import { openrouterModels } from './models.ts'
import { classify, isRetryable, readError } from './failures.ts'
import { attribution, toOpenrouter } from './to-openrouter.ts'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'openrouter',
  channelTypes: { 20: 'OpenRouter' },
  baseUrl: 'https://openrouter.ai/api',
  models: openrouterModels,
  mark: 'openrouter',
  makes: ['openrouter'],
  picker: { section: 'popular', aliases: ['router', '聚合'] },
  summary: 'One key for the models of many providers, by vendor/model names.',
  prices,
  operations: openaiCompatible({
    request: { chat: toOpenrouter },
    headers: attribution,
    // OpenRouter's guide to web search: models search by themselves, or OpenRouter searches for them.
    capabilities: () => ({ webSearch: true }),
    answer: { chat: (body, context) => withSearch(withReasoningText(body), context) },
    chunk: (chunk, context) => withSearch(withReasoningText(refuseError(chunk)), context),
  }),
  resolveModel: (model) =>
    model.endsWith('-thinking')
      ? { model: model.slice(0, -'-thinking'.length), thinking: {} }
      : { model },
  readError,
  classify,
  isRetryable,
  fetchModels: openaiModelList(),
  async fetchBalance(channel, http, { httpOptions }) {
    const { data } = await askWithKey(http, channel, '/v1/credits', httpOptions)
    // If one of the two is missing, this is NaN, which core refuses: a missing figure must not look like an empty
    // account.
    const { total_credits: bought, total_usage: used } = isObject(data) ? data : {}
    return amountOf(bought) - amountOf(used)
  },
})

/** @throws UpstreamError for the chunk that ends a broken stream */
function refuseError(chunk: Body): Body {
  const failure = readError(200, chunk)
  if (failure) throw new UpstreamError(failure)
  return chunk
}
