import type { AttemptContext, UpstreamRequest, UpstreamResponse } from '#core'
import { keyParts } from '#adapter-kit'
import { tc3Authorization } from './sign.ts'

/** The AppId is not used in calls. */
export const KEY_FORM = 'AppId|SecretId|SecretKey'

const SERVICE = 'hunyuan'
/** Signed also where the base URL is a proxy: it is the provider that checks the signature. */
const HOST = 'hunyuan.tencentcloudapi.com'
const CONTENT_TYPE = 'application/json'

/** Headers of an action; the signature is added when the bytes of the body are final. */
export function actionHeaders(action: string): Record<string, string> {
  return { 'content-type': CONTENT_TYPE, 'x-tc-action': action, 'x-tc-version': '2023-09-01' }
}

export function signAndSend(
  request: UpstreamRequest,
  { channel, http, httpOptions, now }: AttemptContext,
): Promise<UpstreamResponse> {
  const timestampSeconds = Math.floor(now().getTime() / 1000)
  const [, secretId, secretKey] = keyParts(channel.key, KEY_FORM)
  const authorization = tc3Authorization({
    secretId,
    secretKey,
    service: SERVICE,
    host: HOST,
    action: request.headers['x-tc-action'] ?? '',
    timestampSeconds,
    contentType: CONTENT_TYPE,
    body: request.body as string | Uint8Array,
  })
  const headers = {
    ...request.headers,
    'x-tc-timestamp': String(timestampSeconds),
    authorization,
  }
  return http.request({ ...request, headers }, httpOptions)
}
