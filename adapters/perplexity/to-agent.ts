// Any field that the Agent API does not know makes it refuse the call, at whatever depth.
import { isObject, objectsOf, type AttemptContext, type Body, type JsonObject } from '#core'
import { compact, onlyKnown, without } from '#adapter-kit'
import { sonarFilters, withFilters } from './sonar-filters.ts'
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
  'stream_options',
  'temperature',
  'tool_choice',
  'tools',
  'top_p',
  'truncation',
])

export function toAgent(body: Body, context: AttemptContext): Body {
  const { model, drop } = context
  const { text, input, reasoning, tools, ...rest } = body
  const format = isObject(text) && isObject(text.format) ? formatOf(text.format, drop) : undefined
  const made = compact({
    ...rest,
    ...searching(model, objectsOf(tools).map(toolOf), rest['tool_choice'], sonarFilters(context)),
    input: Array.isArray(input) ? objectsOf(input).flatMap(itemOf) : input,
    reasoning: reasoningOf(reasoning),
    response_format: rest['response_format'] ?? format,
  })
  return onlyKnown(without(made, 'include'), KNOWN, drop)
}

/** Sonar searched for each of its answers: a preset does so by itself, a model only if it is told to. A tool that stands beside a preset takes the
 *  place of the preset's own one of its type. */
function searching(
  model: string,
  asked: readonly JsonObject[],
  choice: unknown,
  filters: JsonObject,
): JsonObject {
  const isOffered = asked.some(({ type }) => type === 'web_search')
  const preset = presetOf(model)
  const isAdded = isSonar(model) && !isOffered && (!preset || Object.keys(filters).length > 0)
  const tools = [...asked, ...(isAdded ? [{ type: 'web_search' }] : [])].map((tool) =>
    withFilters(tool, filters),
  )
  const own = tools.length === 0 ? {} : { tools }
  if (!isSonar(model)) return own
  if (preset !== undefined) return { ...own, model: SONAR, preset }
  const isForced = choice === undefined && asked.every(({ type }) => type === 'web_search')
  return { ...own, model: SONAR, ...(isForced ? { tool_choice: { type: 'web_search' } } : {}) }
}

function toolOf(tool: JsonObject): JsonObject {
  const { type } = tool
  if (type === 'function') {
    const { name, description, parameters, strict } = tool
    return compact({ type, name, description, parameters: parameters ?? undefined, strict })
  }
  return typeof type === 'string' && type.startsWith('web_search') ? searchOf(tool) : tool
}

function searchOf(tool: JsonObject): JsonObject {
  const { user_location: place, filters, search_context_size, max_results } = tool
  const { allowed_domains: domains, ...others } = isObject(filters) ? filters : {}
  const limits = compact({ search_domain_filter: domains, ...others })
  return compact({
    type: 'web_search',
    search_context_size,
    max_results,
    user_location: isObject(place) ? without(place, 'type') : undefined,
    filters: Object.keys(limits).length === 0 ? undefined : limits,
  })
}

/** Of the items of a conversation only messages, calls of functions and their results are taken. */
function itemOf(item: JsonObject): JsonObject[] {
  const { type = 'message', role, content, call_id, name } = item
  switch (type) {
    case 'message':
      return [{ type, role, content: contentOf(content) }]
    case 'function_call':
      return [{ type, call_id, name, arguments: item.arguments }]
    case 'function_call_output':
      return [{ type, call_id, output: outputOf(item.output) }]
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

function outputOf(output: unknown): unknown {
  return typeof output === 'string' ? output : JSON.stringify(output)
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
