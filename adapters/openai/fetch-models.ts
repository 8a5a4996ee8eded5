import { isObject, UpstreamError, type ChannelView, type HttpClient, type HttpOptions } from '#core'

/** GET /v1/models. */
export async function fetchOpenaiModels(
  channel: ChannelView,
  http: HttpClient,
  options: HttpOptions,
): Promise<string[]> {
  const { status, body } = await http.json(
    {
      method: 'GET',
      url: `${channel.baseUrl}/v1/models`,
      headers: { authorization: `Bearer ${channel.key}` },
    },
    options,
  )
  const data = isObject(body) && Array.isArray(body['data']) ? body['data'] : undefined
  if (status !== 200 || !data) {
    throw new UpstreamError({
      status,
      message: `The upstream answered its model list with status ${status}.`,
      code: null,
      isKnownShape: true,
    })
  }
  return data.flatMap((entry) =>
    isObject(entry) && typeof entry['id'] === 'string' ? [entry['id']] : [],
  )
}
