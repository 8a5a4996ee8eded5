import type { AttemptContext, Endpoint } from '#core'
import { readCredentials } from './credentials.ts'

type Action =
  | 'invoke'
  | 'invoke-with-response-stream'
  | 'converse'
  | 'converse-stream'
  | 'count-tokens'

/** The runtime's address of one model. A pair of keys signs the finished request instead, which is the transport's part. */
export function modelEndpoint(
  id: string,
  action: Action,
  { channel }: Pick<AttemptContext, 'channel'>,
): Endpoint {
  const credentials = readCredentials(channel)
  const base = channel.baseUrl || `https://bedrock-runtime.${credentials.region}.amazonaws.com`
  return {
    url: `${base}/model/${encodeURIComponent(id)}/${action}`,
    headers: {
      accept: 'application/json',
      ...(credentials.kind === 'token' ? { authorization: `Bearer ${credentials.token}` } : {}),
    },
  }
}

export function regionOf({ channel }: Pick<AttemptContext, 'channel'>): string {
  return readCredentials(channel).region
}
