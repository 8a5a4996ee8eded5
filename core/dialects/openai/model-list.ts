import type { AdapterDefinition, ChannelView } from '../../contract/adapter.ts'
import { isObject } from '../../contract/json.ts'
import { upstreamJson } from '../upstream-json.ts'
import { joinUrl } from './join-url.ts'

export interface ModelListOptions {
  /** Below the base URL, or a whole URL. */
  path?: string
  /** Default: the key as bearer, none for a channel without a key. */
  headers?: (channel: ChannelView) => Record<string, string>
}

/** `fetchModels` of an upstream with OpenAI's list, `{data: [{id}]}`. */
export function openaiModelList({
  path = '/v1/models',
  headers = bearer,
}: ModelListOptions = {}): NonNullable<AdapterDefinition['fetchModels']> {
  return async (channel, http, options) => {
    const body = await upstreamJson(
      http,
      { method: 'GET', url: joinUrl(channel.baseUrl, path), headers: headers(channel) },
      options,
    )
    return namesIn(body['data'], 'id')
  }
}

/** The texts under `key` of a list of objects. */
export function namesIn(list: unknown, key: string): string[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((entry: unknown) => {
    const name = isObject(entry) ? entry[key] : undefined
    return typeof name === 'string' ? [name] : []
  })
}

function bearer({ key }: ChannelView): Record<string, string> {
  return key === '' ? {} : { authorization: `Bearer ${key}` }
}
