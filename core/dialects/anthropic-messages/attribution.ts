// Claude Code's first line is for Anthropic's accounts. It changes with the conversation, or with each call, and other
// providers, which find a prompt in their caches by its beginning, would never find one again.
import { isObject, type JsonObject } from '../../contract/json.ts'

const ATTRIBUTION = 'x-anthropic-billing-header:'

/** @returns the same text if it does not begin with such a line */
export function withoutAttribution(text: string): string {
  if (!text.startsWith(ATTRIBUTION)) return text
  const end = text.indexOf('\n')
  return end < 0 ? '' : text.slice(end).trimStart()
}

/** A body of this dialect without it, for a provider other than Anthropic.
 *  @returns the same object if there is none */
export function attributionLeftOut(body: JsonObject): JsonObject {
  const { system } = body
  if (typeof system === 'string') return withSystem(body, withoutAttribution(system))
  if (!Array.isArray(system)) return body
  const blocks: unknown[] = system
  const kept = blocks.flatMap((block) => {
    if (!isObject(block) || typeof block.text !== 'string') return [block]
    const text = withoutAttribution(block.text)
    if (text === block.text) return [block]
    return text === '' ? [] : [{ ...block, text }]
  })
  const isSame = kept.length === blocks.length && kept.every((block, at) => block === blocks[at])
  return isSame ? body : withSystem(body, kept)
}

function withSystem(body: JsonObject, system: string | unknown[]): JsonObject {
  if (system === body.system) return body
  const { system: _given, ...rest } = body
  return system.length === 0 ? rest : { ...rest, system }
}
