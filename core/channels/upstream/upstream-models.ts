import { joinUrl } from '../../adapter-kit/openai/join-url.ts'
import type { Adapter, ChannelView, OptionReader } from '../../contract/adapter.ts'
import type { HttpClient, HttpOptions } from '../../contract/http-client.ts'
import { AppError } from '../../contract/errors.ts'
import { isObject } from '../../contract/json.ts'
import { maskMessage } from '../../upstream-failures/mask-message.ts'
import { redactorOf } from '../../secrets/redact.ts'
import { channelBalanceUnsupported, channelCallFailed } from '../channel-errors.ts'
import { httpOptionsOf, secretsOf } from '../routing/routed-channel.ts'

export interface UpstreamDeps {
  http: HttpClient
  options: OptionReader
  now: () => Date
}

const timeoutMs = 10_000
const maxModelListBytes = 5 * 1024 * 1024

/** The models that the upstream lists. Adapters without a list of their own use OpenAI's.
 *  @throws channel.call_failed */
export async function fetchUpstreamModels(
  deps: UpstreamDeps,
  adapter: Adapter,
  channel: ChannelView,
): Promise<string[]> {
  return guarded(channel, async (httpOptions) => {
    const models = await (adapter.fetchModels?.(channel, deps.http, httpOptions) ??
      fetchOpenaiModels(deps.http, channel, httpOptions))
    return [...new Set(models)]
  })
}

/** In US dollars.
 *  @throws channel.balance_unsupported, channel.call_failed */
export async function fetchUpstreamBalance(
  deps: UpstreamDeps,
  adapter: Adapter | undefined,
  channel: ChannelView,
): Promise<number> {
  const fetchBalance = adapter?.fetchBalance
  if (fetchBalance === undefined) throw channelBalanceUnsupported()
  return guarded(channel, async (httpOptions) => {
    const { options, now } = deps
    const dollars = await fetchBalance(channel, deps.http, { options, httpOptions, now })
    if (!Number.isFinite(dollars)) throw new Error('the answer names no balance')
    return dollars
  })
}

async function fetchOpenaiModels(
  http: HttpClient,
  channel: ChannelView,
  httpOptions: HttpOptions,
): Promise<string[]> {
  const request = {
    method: 'GET',
    url: joinUrl(channel.baseUrl, '/v1/models'),
    headers: { authorization: `Bearer ${channel.key}`, accept: 'application/json' },
  }
  const answer = await http.json(request, { ...httpOptions, maxBytes: maxModelListBytes })
  if (answer.status !== 200) throw new Error(`status code ${answer.status}`)
  const models = isObject(answer.body) ? answer.body['data'] : undefined
  if (!Array.isArray(models)) throw new Error('the answer is no list of models')
  return models.flatMap((model: unknown) =>
    isObject(model) && typeof model['id'] === 'string' ? [model['id']] : [],
  )
}

/** Limits the time of a call and turns its failure into one sentence without the key. */
async function guarded<T>(
  channel: ChannelView,
  call: (httpOptions: HttpOptions) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs)
  const httpOptions = httpOptionsOf(channel)
  try {
    return await call({ ...httpOptions, firstByteTimeoutMs: timeoutMs, signal })
  } catch (error) {
    if (error instanceof AppError) throw error
    const message = error instanceof Error ? error.message : String(error)
    const reason = maskMessage(
      redactorOf(secretsOf([channel.key], httpOptions)).text(message),
    ).slice(0, 500)
    throw channelCallFailed({ reason }, { cause: error })
  }
}
