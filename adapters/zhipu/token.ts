import { ChannelFault } from '#core'

/** How long a token lives. */
export const TOKEN_MS = 3_600_000

/** @throws ChannelFault unless the key is `id.secret` */
export function keyParts(key: string): { id: string; secret: string } {
  const [id, secret, ...rest] = key.split('.')
  if (!id || !secret || rest.length > 0)
    throw new ChannelFault('invalid_channel_key', {
      en: 'The key must have the form id.secret.',
      zh: '密钥格式应为 id.secret。',
    })
  return { id, secret }
}

/** A token in Zhipu's form: times in milliseconds, and a header member of its own. */
export async function signToken(key: string, nowMs: number): Promise<string> {
  const { id, secret } = keyParts(key)
  const { SignJWT } = await import('jose')
  return new SignJWT({ api_key: id, exp: nowMs + TOKEN_MS, timestamp: nowMs })
    .setProtectedHeader({ alg: 'HS256', sign_type: 'SIGN', typ: 'JWT' })
    .sign(new TextEncoder().encode(secret))
}
