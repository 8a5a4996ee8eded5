import { fullKey, type Token } from './token.ts'

export interface ChatLink {
  name: string
  template: string
}

/** The operator's chat links: a list of maps of one name to one address. */
export function chatLinksOf(chats: unknown): ChatLink[] {
  if (!Array.isArray(chats)) return []
  return chats.flatMap((entry: unknown) =>
    typeof entry === 'object' && entry !== null
      ? Object.entries(entry).flatMap(([name, template]) =>
          typeof template === 'string' && template ? [{ name, template }] : [],
        )
      : [],
  )
}

/** The address with server and key filled in; undefined when it would run as a script here. */
export function chatAddress(template: string, token: Token, server: string): string | undefined {
  const address = template
    .replaceAll('{address}', encodeURIComponent(server))
    .replaceAll('{key}', fullKey(token))
  return /^\s*(javascript|data|vbscript):/i.test(address) ? undefined : address
}
