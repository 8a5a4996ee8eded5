import { keyParts } from '#adapter-kit'

/** How long a token lives. */
export const TOKEN_MS = 3_600_000

/** @throws ChannelFault */
export function idAndSecret(key: string): [id: string, secret: string] {
  return keyParts(key, 'id.secret', '.')
}

/** A token in Zhipu's form: times in milliseconds, and a header member of its own. */
export async function signToken(key: string, nowMs: number): Promise<string> {
  const [id, secret] = idAndSecret(key)
  const { SignJWT } = await import('jose')
  return new SignJWT({ api_key: id, exp: nowMs + TOKEN_MS, timestamp: nowMs })
    .setProtectedHeader({ alg: 'HS256', sign_type: 'SIGN', typ: 'JWT' })
    .sign(new TextEncoder().encode(secret))
}
