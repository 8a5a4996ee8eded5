// Each field may be spelled in one way only. Some upstreams match names in any letter case, or accept camel case for
// snake case. If a passed-through body had a second spelling of a field, the gateway's limits and prices would use one
// value and the upstream another.
import type { JsonObject } from '../../contract/json.ts'
import { isObject } from '../../contract/json.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { folded, inAnyCase } from './letter-case.ts'

/** All fields, of all dialects, that decide about routing, limits or price. */
const known: ReadonlySet<string> = new Set(
  [
    'model models group stream stream_options stream_format n best_of background service_tier',
    'max_tokens max_completion_tokens max_output_tokens messages input prompt system instructions',
    'contents systemInstruction system_instruction generationConfig generation_config extra_body',
    'query documents questions tools functions web_search_options previous_response_id conversation',
    'size quality seconds duration dimensions width height partial_images response_format file',
    'instances parameters requests',
  ].flatMap((names) => names.split(' ')),
)

/** The same for fields inside these; lists are searched too. */
const knownInside: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['stream_options', new Set(['include_usage'])],
  ['web_search_options', new Set(['search_context_size'])],
  ['tools', new Set(['type', 'search_context_size'])],
  ...['generationConfig', 'generation_config'].map(
    (name) =>
      [
        name,
        new Set(['maxOutputTokens', 'max_output_tokens', 'candidateCount', 'candidate_count']),
      ] as const,
  ),
])

type Spellings = (name: string) => string | undefined

const spellingsOf = (names: Iterable<string>): Spellings =>
  inAnyCase(Array.from(names, (name) => [name, name] as const))
const knownSpellings = spellingsOf(known)
const spellingsInside = new Map(
  Array.from(knownInside, ([name, names]) => [name, spellingsOf(names)] as const),
)

/** The known field that differs from `name` only in letter case. */
function otherSpelling(name: string, spellings: Spellings): string | undefined {
  const right = spellings(name)
  return right === name ? undefined : right
}

function refuseSpelling(name: string, right: string): Error {
  return relayErrors.invalid({ reason: `${name} must be written ${right}` }, { field: name })
}

/** @throws relay.invalid_request for another spelling of a field that the gateway reads */
export function refuseSpellings(body: JsonObject): void {
  for (const name in body) {
    const right = otherSpelling(name, knownSpellings)
    if (right !== undefined) throw refuseSpelling(name, right)
    const inside = spellingsInside.get(name)
    if (inside) refuseInside(name, body[name], inside)
  }
}

function refuseInside(path: string, value: unknown, spellings: Spellings): void {
  if (Array.isArray(value)) for (const entry of value) refuseInside(path, entry, spellings)
  else if (isObject(value))
    for (const name in value) {
      const right = otherSpelling(name, spellings)
      if (right !== undefined) throw refuseSpelling(`${path}.${name}`, right)
    }
}

/** Fields with texts for the model, which may contain anything, such as what a tool found in a binary file. */
const ofContent: ReadonlySet<string> = new Set(
  'prompt input instructions system query documents suffix negative_prompt'.split(' '),
)

/** Names and ids are looked up and stored, and databases do not accept NUL in them.
 *  @throws relay.invalid_request */
export function refuseNul(body: JsonObject): void {
  for (const name in body) {
    if (ofContent.has(name)) continue
    const value = body[name]
    const texts: unknown[] = Array.isArray(value) ? value : [value]
    if (texts.some((text) => typeof text === 'string' && text.includes('\0')))
      throw relayErrors.invalid(
        { reason: `${name} must not hold a NUL character` },
        { field: name },
      )
  }
}

/** Google accepts `generation_config` for `generationConfig`: only one of such a pair is allowed.
 *  @throws relay.invalid_request */
export function refusePairs(body: JsonObject): void {
  refusePair(body, '')
  for (const name of ['generationConfig', 'generation_config']) {
    const inner = body[name]
    if (isObject(inner)) refusePair(inner, `${name}.`)
  }
}

function refusePair(object: JsonObject, path: string): void {
  const seen = new Map<string, string>()
  for (const name in object) {
    const plain = folded(name).replaceAll('_', '')
    const other = seen.get(plain)
    if (other !== undefined)
      throw relayErrors.invalid(
        { reason: `${path}${name} and ${path}${other} are one field: send one of them` },
        { field: `${path}${name}` },
      )
    seen.set(plain, name)
  }
}

/** A form may repeat lists and files. For any other repeated field it would be unclear which value counts.
 *  @throws relay.invalid_request */
export function refuseFormNames(
  parts: readonly ({ name: string; value: string } | { name: string; data: Uint8Array })[],
): void {
  const seen = new Set<string>()
  for (const part of parts) {
    const { name } = part
    const [plain = ''] = name.split('[', 1)
    const right =
      otherSpelling(plain, knownSpellings) ??
      (plain !== name && known.has(plain) ? plain : undefined)
    if (right !== undefined) throw refuseSpelling(name, right)
    if ('data' in part && name !== 'file' && known.has(name))
      throw relayErrors.invalid({ reason: `${name} must be text, not a file` }, { field: name })
    const isList = name.endsWith('[]') || ('data' in part && name !== 'file')
    if (!isList && seen.has(name))
      throw relayErrors.invalid({ reason: `${name} is given more than once` }, { field: name })
    seen.add(name)
  }
}
