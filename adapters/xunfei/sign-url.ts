// The signature of a WebSocket address. Source: xfyun.cn/doc/spark, "General URL authentication".
import { createHmac } from 'node:crypto'

export interface SignedUrlInput {
  /** ws:// or wss:// with its path; the port is part of the signed host. */
  url: string
  apiKey: string
  apiSecret: string
  now: Date
}

export function signedUrl({ url, apiKey, apiSecret, now }: SignedUrlInput): string {
  const { host, pathname } = new URL(url)
  const date = now.toUTCString()
  const text = `host: ${host}\ndate: ${date}\nGET ${pathname} HTTP/1.1`
  const signature = createHmac('sha256', apiSecret).update(text).digest('base64')
  const origin = `api_key="${apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`
  const query = { authorization: Buffer.from(origin).toString('base64'), date, host }
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${url}?${pairs.join('&')}`
}
