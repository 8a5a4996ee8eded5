// Signature TC3-HMAC-SHA256. Source: cloud.tencent.com/document/product/1729/101842.
import { createHash, createHmac } from 'node:crypto'

export interface Tc3Input {
  secretId: string
  secretKey: string
  service: string
  host: string
  action: string
  timestampSeconds: number
  contentType: string
  body: string | Uint8Array
}

const SIGNED_HEADERS = 'content-type;host;x-tc-action'

export interface Tc3Texts {
  hashedPayload: string
  hashedCanonicalRequest: string
  stringToSign: string
  scope: string
}

export function tc3Texts(input: Omit<Tc3Input, 'secretId' | 'secretKey'>): Tc3Texts {
  const hashedPayload = sha256(input.body)
  const headers = `content-type:${input.contentType}\nhost:${input.host}\nx-tc-action:${input.action.toLowerCase()}\n`
  const canonical = ['POST', '/', '', headers, SIGNED_HEADERS, hashedPayload].join('\n')
  const hashedCanonicalRequest = sha256(canonical)
  const scope = `${utcDate(input.timestampSeconds)}/${input.service}/tc3_request`
  const stringToSign = [
    'TC3-HMAC-SHA256',
    input.timestampSeconds,
    scope,
    hashedCanonicalRequest,
  ].join('\n')
  return { hashedPayload, hashedCanonicalRequest, stringToSign, scope }
}

/** The value of the Authorization header. */
export function tc3Authorization(input: Tc3Input): string {
  const { stringToSign, scope } = tc3Texts(input)
  const date = hmac(`TC3${input.secretKey}`, utcDate(input.timestampSeconds))
  const key = hmac(hmac(date, input.service), 'tc3_request')
  const signature = tc3Signature(key, stringToSign)
  return `TC3-HMAC-SHA256 Credential=${input.secretId}/${scope}, SignedHeaders=${SIGNED_HEADERS}, Signature=${signature}`
}

export function tc3Signature(derivedKey: Uint8Array, stringToSign: string): string {
  return hmac(derivedKey, stringToSign).toString('hex')
}

function utcDate(timestampSeconds: number): string {
  return new Date(timestampSeconds * 1000).toISOString().slice(0, 10)
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

function hmac(key: string | Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
