/** 48 characters of 0-9A-Za-z, stored and sent without the prefix; imported keys may be of another length. */
export const tokenKeyLength = 48
const keyShape = /^[0-9A-Za-z]{1,128}$/
const pinShape = /^[1-9]\d{0,14}$/

export interface PresentedKey {
  key: string
  /** `sk-<key>-17` asks for channel 17. 'invalid': a suffix that is no channel id. */
  channelId?: number | 'invalid'
}

/** Reads a credential as clients send it: `Bearer ` and `sk-` are optional, a suffix pins a channel. Undefined when it cannot be a key. */
export function readTokenKey(credential: string): PresentedKey | undefined {
  const bare = credential
    .trim()
    .replace(/^bearer\s+/i, '')
    .replace(/^sk-/, '')
  const dash = bare.indexOf('-')
  const key = dash === -1 ? bare : bare.slice(0, dash)
  if (!isTokenKey(key)) return undefined
  if (dash === -1) return { key }
  const suffix = bare.slice(dash + 1)
  return { key, channelId: pinShape.test(suffix) ? Number(suffix) : 'invalid' }
}

export function isTokenKey(text: string): boolean {
  return keyShape.test(text)
}
