// Where a body holds the texts of a prompt: the field names that the client dialects, and upstreams of single operations, use for them.
import { isObject, type JsonObject } from '../../contract/json.ts'
import { inAnyCase } from '../intake/letter-case.ts'

/** Which strings inside a value are text: what is said, every string, the words of a declaration, or those of a question. */
export type Scope = 'said' | 'all' | 'declared' | 'asked'

const words = (...lines: string[]): readonly string[] => lines.join(' ').split(' ')

/** Fields of a body, in the order in which a model reads them; tools and forms of answers come last. */
export const outerPlaces: ReadonlyMap<string, Scope> = new Map([
  ...words(
    'system instructions messages input prompt suffix contents systemInstruction system_instruction',
    'query documents prediction negative_prompt instruction gpt_description_prompt tags title',
  ).map((name) => [name, 'said'] as const),
  ['questions', 'asked'],
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
  // What providers' own tools were asked, and what they found.
  'action operation outputs results query queries code stdout stderr logs lines diff path reason',
  'revised_prompt executableCode executable_code codeExecutionResult code_execution_result',
  // The sources that an answer cites.
  'citations annotations url_citation cited_text document_title',
)
/** Arguments and results of tool calls: every string in them is text. */
const free = words('arguments args response input variables command commands env attributes')

const innerPlaces: ReadonlyMap<string, Scope> = new Map([
  ...said.map((name) => [name, 'said'] as const),
  ...free.map((name) => [name, 'all'] as const),
  ['tools', 'declared'],
  // One that a message adds.
  ['tool', 'declared'],
])

const describing: ReadonlySet<string> = new Set(['description', 'title', 'server_description'])
/** Values that a declaration offers to choose from. */
const offered: ReadonlySet<string> = new Set(
  words('enum const default examples example input_examples'),
)
/** The roles in whose messages `name` names a person. In the message of a tool it names the tool. */
const speakers: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer'])

/** Which strings are text in a field of an object with this scope; undefined for none. */
export function scopeInside(scope: Scope, object: JsonObject, name: string): Scope | undefined {
  switch (scope) {
    case 'all':
      return 'all'
    case 'declared':
      return declaredScope(object[name], name)
    case 'asked':
      return askedScope(object, name)
    case 'said':
      return saidScope(object, name)
  }
}

/** Questions, and what they offer to choose from, are words except where they name a kind or a picture. */
function askedScope(object: JsonObject, name: string): Scope | undefined {
  if (isJsonPart(object, name)) return 'all'
  return name === 'type' || name === 'image_url' || name === 'detail' ? undefined : 'asked'
}

/** A part that holds JSON for the model to read (OpenAI's decisions). */
function isJsonPart({ type }: JsonObject, name: string): boolean {
  return name === 'data' && type === 'input_json'
}

function declaredScope(value: unknown, name: string): Scope | undefined {
  if (offered.has(name)) return 'all'
  if (typeof value === 'string') return describing.has(name) ? 'said' : undefined
  return 'declared'
}

const otherSpelling = inAnyCase(innerPlaces)

function saidScope(object: JsonObject, name: string): Scope | undefined {
  const known = innerPlaces.get(name) ?? otherSpelling(name)
  if (known) return known
  if (isJsonPart(object, name)) return 'all'
  const isPlainDocument = name === 'data' && object['type'] === 'text'
  const isPerson = name === 'name' && speakers.has(object['role'])
  return (isPlainDocument || isPerson) && !isObject(object[name]) ? 'said' : undefined
}
