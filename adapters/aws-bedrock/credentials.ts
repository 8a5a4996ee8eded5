import type { ChannelView } from '#core'
import { malformedKey } from '#adapter-kit'

/** A pair of AWS keys signs; a Bedrock API key is a bearer token. */
export type Credentials =
  | { kind: 'keys'; accessKeyId: string; secretAccessKey: string; region: string }
  | { kind: 'token'; token: string; region: string }

/** `AccessKeyId|SecretAccessKey|Region` or `ApiKey|Region`. @throws ChannelFault */
export function readCredentials({ key }: Pick<ChannelView, 'key'>): Credentials {
  const parts = key
    .trim()
    .split('|')
    .map((part) => part.trim())
  const [first = '', second = '', third = ''] = parts
  if (parts.length === 3 && first !== '' && second !== '' && isRegion(third))
    return { kind: 'keys', accessKeyId: first, secretAccessKey: second, region: third }
  if (parts.length === 2 && first !== '' && isRegion(second))
    return { kind: 'token', token: first, region: second }
  const forms = ['AccessKeyId|SecretAccessKey|Region', 'ApiKey|Region']
  throw malformedKey(forms.join(' or '), forms.join(' 或 '))
}

function isRegion(text: string): boolean {
  return /^[a-z]{2}(?:-[a-z]+)+-\d+$/.test(text)
}
