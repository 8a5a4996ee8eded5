import { joinUrl } from '../../adapter-kit/openai/join-url.ts'
import type { Adapter, ChannelView } from '../../contract/adapter.ts'
import type { HttpClient, HttpOptions } from '../../contract/http-client.ts'
import { isObject } from '../../contract/json.ts'
import { askUpstream } from './ask-upstream.ts'

const maxModelListBytes = 5 * 1024 * 1024

/** The models that the upstream lists. Adapters without a list of their own use OpenAI's.
 *  @throws channel.call_failed */
export async function fetchUpstreamModels(
  { http }: { http: HttpClient },
  adapter: Adapter,
  channel: ChannelView,
): Promise<string[]> {
  return askUpstream(channel, async (httpOptions) => {
    const models = await (adapter.fetchModels?.(channel, http, httpOptions) ??
      fetchOpenaiModels(http, channel, httpOptions))
    return [...new Set(models)]
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
  if (answer.status !== 200) throw new Error(`HTTP ${answer.status}`)
  const models = isObject(answer.body) ? answer.body['data'] : undefined
  if (!Array.isArray(models)) throw new Error('the answer is no list of models')
  return models.flatMap((model: unknown) =>
    isObject(model) && typeof model['id'] === 'string' ? [model['id']] : [],
  )
}
