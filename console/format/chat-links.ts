// The operator's chat links (field `chats` of /api/status), and how they are filled.

import { readUrl } from './read-url.ts'

export interface ChatLink {
  name: string
  template: string
}

/** A list of maps of one name to one address; what is none is left out. */
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

export type ChatTarget =
  /** Shown in a frame; other pages can't be. */
  | { kind: 'frame'; address: string; host: string }
  /** A page that a secure page may not frame. */
  | { kind: 'page'; address: string; host: string }
  /** A program on the person's device. */
  | { kind: 'app'; address: string; scheme: string }

/** Where the link leads with address and key (without its `sk-`) filled in; undefined when it is no address, or would run as a script here. */
export function chatTargetOf(
  template: string,
  server: string,
  key: string,
): ChatTarget | undefined {
  const address = template
    .replaceAll('{address}', encodeURIComponent(server))
    .replaceAll('{key}', `sk-${key}`)
  const url = readUrl(address)
  if (!url) return undefined
  const { protocol, host } = url
  if (/^(?:javascript|data|vbscript|blob|file|about):$/.test(protocol)) return undefined
  if (protocol === 'https:') return { kind: 'frame', address, host }
  if (protocol === 'http:') return { kind: 'page', address, host }
  return { kind: 'app', address, scheme: protocol }
}
