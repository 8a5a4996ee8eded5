// Where the texts of a prompt stand in a body, by the names that the client dialects and the upstreams of one operation have for them.
import { isObject, type JsonObject } from '../../contract/json.ts'

/** What is text in a value: all that is said there, every string in it, or the words of a declaration. */
export type Scope = 'said' | 'all' | 'declared'

const words = (...lines: string[]): readonly string[] => lines.join(' ').split(' ')

/** Fields of a body, in the order in which a model reads them; tools and forms of answers come last. */
export const outerPlaces: ReadonlyMap<string, Scope> = new Map([
  ...words(
    'system instructions messages input prompt suffix contents systemInstruction system_instruction',
    'query documents prediction negative_prompt instruction gpt_description_prompt tags title',
  ).map((name) => [name, 'said'] as const),
  ...words(
    'tools functions response_format text output_config output_format generationConfig',
    'generation_config',
  ).map((name) => [name, 'declared'] as const),
])

const said = words(
  'content parts text input_text output thinking source reasoning reasoning_content',
  'reasoning_details refusal summary title context transcript tool_calls function function_call',
  'functionCall functionResponse function_response toolCall tool_call toolResponse tool_response',
  'custom',
  // What the tools of providers were told, and found.
  'action operation outputs results query queries code stdout stderr logs lines diff path reason',
  'revised_prompt executableCode executable_code codeExecutionResult code_execution_result',
  // On what an answer rests.
  'citations annotations url_citation cited_text document_title',
)
/** What tools are called with and answer: all that lies in it is text. */
const free = words('arguments args response input variables command commands env attributes')

const innerPlaces: ReadonlyMap<string, Scope> = new Map([
  ...said.map((name) => [name, 'said'] as const),
  ...free.map((name) => [name, 'all'] as const),
  ['tools', 'declared'],
])

const describing: ReadonlySet<string> = new Set(['description', 'title', 'server_description'])
/** Values that a declaration offers. */
const offered: ReadonlySet<string> = new Set(
  words('enum const default examples example input_examples'),
)
/** Whose name in a message is a person's; that of a tool's message is the tool's. */
const speakers: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer'])

/** What is text in the field of an object that lies in a scope; undefined for nothing. */
export function scopeInside(scope: Scope, object: JsonObject, name: string): Scope | undefined {
  if (scope === 'all') return 'all'
  return scope === 'declared' ? declaredScope(object[name], name) : saidScope(object, name)
}

function declaredScope(value: unknown, name: string): Scope | undefined {
  if (offered.has(name)) return 'all'
  if (typeof value === 'string') return describing.has(name) ? 'said' : undefined
  return 'declared'
}

function saidScope(object: JsonObject, name: string): Scope | undefined {
  const known = innerPlaces.get(name) ?? otherSpelling(name)
  if (known) return known
  const isPlainDocument = name === 'data' && object['type'] === 'text'
  const isPerson = name === 'name' && speakers.has(object['role'])
  return (isPlainDocument || isPerson) && !isObject(object[name]) ? 'said' : undefined
}

const foldedPlaces: ReadonlyMap<string, Scope> = new Map(
  [...innerPlaces].map(([name, scope]) => [folded(name), scope] as const),
)
/** Plain lower-case names are no other spelling of anything. */
const mayDiffer = /[^a-z0-9_]/

/** Bytes that pass through are read by servers, too, that match names in any letter case. */
function otherSpelling(name: string): Scope | undefined {
  return mayDiffer.test(name) ? foldedPlaces.get(folded(name)) : undefined
}

function folded(name: string): string {
  return name.toUpperCase().toLowerCase()
}
