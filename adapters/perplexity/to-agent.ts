// Any field that the Agent API does not know makes it refuse the call, at whatever depth.
import { isObject, objectsOf, type AttemptContext, type Body, type JsonObject } from '#core'
import { compact, onlyKnown, without } from '#adapter-kit'
import { searchOf } from './search-tool.ts'
import { sonarSearch, withWishes, type SonarSearch } from './sonar-filters.ts'
import { isSonar, presetOf, SONAR } from './sonar-names.ts'

const KNOWN: ReadonlySet<string> = new Set([
  'background',
  'input',
  'instructions',
  'language_preference',
  'max_output_tokens',
  'max_steps',
  'max_tool_calls',
  'metadata',
  'model',
  'models',
  'parallel_tool_calls',
  'preset',
  'previous_response_id',
  'reasoning',
  'response_format',
  'skills',
  'store',
  'stream',
  'temperature',
  'tool_choice',
  'tools',
  'top_p',
  'truncation',
])

export function toAgent(body: Body, context: AttemptContext): Body {
  const { model, drop } = context
  const { text, input, reasoning, tools, tool_choice, ...rest } = withoutNulls(body)
  const format = isObject(text) && isObject(text.format) ? formatOf(text.format, drop) : undefined
  const made = compact({
    ...rest,
    tool_choice: choiceOf(tool_choice),
    ...searching(model, objectsOf(tools).map(toolOf), tool_choice, sonarSearch(context)),
    input: Array.isArray(input) ? objectsOf(input).flatMap(itemOf) : input,
    max_output_tokens: rest['max_output_tokens'] ?? limitOf(context),
    reasoning: reasoningOf(reasoning),
    response_format: rest['response_format'] ?? format,
  })
  return onlyKnown(without(made, 'include', 'stream_options'), KNOWN, drop)
}

/** Its fields may be left out, but are nowhere said to take null. */
function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))
}

/** A function is named without a type. */
function choiceOf(choice: unknown): unknown {
  if (!isObject(choice) || choice['type'] !== 'function') return choice
  return { name: choice['name'] }
}

/** Models of Anthropic must be told how much they may write. */
function limitOf({ model, options }: AttemptContext): number | undefined {
  if (!model.startsWith('anthropic/')) return undefined
  const defaults = options.get<Record<string, number>>('claude.default_max_tokens')
  return new Map(Object.entries(defaults)).get('default') ?? 8192
}

/** Sonar searched for each of its answers unless it was told not to: a preset does so by itself, a model only if it is told to. A tool that stands
 *  beside a preset takes the place of the preset's own one of its type. */
function searching(
  model: string,
  asked: readonly JsonObject[],
  choice: unknown,
  search: SonarSearch,
): JsonObject {
  const preset = presetOf(model)
  const tools = [...asked, ...addedTo(asked, model, search)].map((tool) => withWishes(tool, search))
  const own = tools.length === 0 ? {} : { tools }
  if (!isSonar(model)) return own
  if (preset !== undefined) {
    const isSilent = search.isDisabled && asked.length === 0
    return { ...own, model: SONAR, preset, ...(isSilent ? { max_tool_calls: 0 } : {}) }
  }
  const isForced =
    choice === undefined && tools.length > 0 && tools.every(({ type }) => type === 'web_search')
  return { ...own, model: SONAR, ...(isForced ? { tool_choice: { type: 'web_search' } } : {}) }
}

function addedTo(
  asked: readonly JsonObject[],
  model: string,
  { isDisabled, filters, own }: SonarSearch,
): JsonObject[] {
  if (!isSonar(model) || isDisabled || asked.some(({ type }) => type === 'web_search')) return []
  const isNeeded = !presetOf(model) || Object.keys({ ...filters, ...own }).length > 0
  return isNeeded ? [{ type: 'web_search' }] : []
}

function toolOf(tool: JsonObject): JsonObject {
  const { type } = tool
  if (type === 'function') {
    const { name, description, parameters, strict } = withoutNulls(tool)
    return compact({ type, name, description, parameters, strict })
  }
  return typeof type === 'string' && type.startsWith('web_search')
    ? searchOf(withoutNulls(tool))
    : tool
}

/** Of the items of a conversation only messages, calls of functions and their results are taken. */
function itemOf(item: JsonObject): JsonObject[] {
  const { type = 'message', role, content, call_id, name } = item
  switch (type) {
    case 'message':
      return [{ type, role, content: contentOf(content) }]
    case 'function_call':
      return [compact({ type, call_id, name, arguments: item.arguments, ...sealOf(item) })]
    case 'function_call_output':
      return [compact({ type, call_id, name, output: outputOf(item.output), ...sealOf(item) })]
    default:
      return []
  }
}

function contentOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  const parts = objectsOf(content)
  const texts = parts.map(textOf)
  if (!texts.includes(undefined)) return texts.join('\n')
  return parts.map((part) => {
    const text = textOf(part)
    return text === undefined ? without(part, 'detail') : { type: 'input_text', text }
  })
}

function textOf({ text, refusal }: JsonObject): string | undefined {
  const value = text ?? refusal
  return typeof value === 'string' ? value : undefined
}

/** A result is text. */
function outputOf(output: unknown): string {
  const content = contentOf(output)
  return typeof content === 'string' ? content : JSON.stringify(output)
}

/** Models of Gemini want what they sealed back with their call. */
function sealOf({ thought_signature }: JsonObject): JsonObject {
  return typeof thought_signature === 'string' ? { thought_signature } : {}
}

/** There is no effort `none`, and no summary. */
function reasoningOf(reasoning: unknown): JsonObject | undefined {
  if (!isObject(reasoning)) return undefined
  const { effort } = reasoning
  return typeof effort === 'string' && effort !== 'none' ? { effort } : undefined
}

/** The form is that of chat. A wish for any JSON has no field. */
function formatOf(
  { type, name, description, schema, strict }: JsonObject,
  drop: AttemptContext['drop'],
): JsonObject | undefined {
  if (type === 'json_schema')
    return { type, json_schema: compact({ name, description, schema, strict }) }
  if (type === 'json_object') drop('response_format')
  return undefined
}
