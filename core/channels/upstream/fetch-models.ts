import { openaiModelList } from '../../adapter-kit/openai/model-list.ts'
import type { Adapter, ChannelView } from '../../contract/adapter.ts'
import type { HttpClient } from '../../contract/http-client.ts'
import { askUpstream } from './ask-upstream.ts'

const asOpenai = openaiModelList()

/** The models that the upstream lists. Adapters without a list of their own use OpenAI's.
 *  @throws channel.call_failed */
export async function fetchUpstreamModels(
  { http }: { http: HttpClient },
  adapter: Adapter,
  channel: ChannelView,
): Promise<string[]> {
  return askUpstream(channel, async (httpOptions) => {
    const models = await (adapter.fetchModels?.(channel, http, httpOptions) ??
      asOpenai(channel, http, httpOptions))
    return [...new Set(models)]
  })
}
