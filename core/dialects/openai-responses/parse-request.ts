import type { ChatRequest, Effort, ReasoningWish, ResponseFormat } from '../../contract/neutral.ts'
import { isObject, objectsOf, type JsonObject } from '../../contract/json.ts'
import { isEffort } from '../neutral/effort.ts'
import { compact, Fields } from '../neutral/fields.ts'
import { requestInvalid } from '../neutral/request-errors.ts'
import { type Names, neutralNames } from './namespaces.ts'
import { ADDED_TOOLS, type Conversation, NEW_SETTINGS, parseItem } from './parse-items.ts'
import { parseTools } from './parse-tools.ts'
import { SEARCH_OUTPUT } from './tool-search.ts'

export function parseRequest(
  body: JsonObject,
  route: { model?: string; stream?: boolean } = {},
): ChatRequest {
  const fields = new Fields(body)
  const tools = parseTools(withAddedTools(fields))
  const { system, turns } = parseInput(fields, neutralNames(tools.tools))
  const text = fields.inside('text')
  const updates = updatesIn(fields)
  const native = nativeFields(fields)
  return {
    model: route.model ?? fields.requiredText('model'),
    system,
    turns,
    ...tools,
    stream: route.stream ?? fields.flag('stream') ?? false,
    includeUsage: true,
    ...(native.length === 0 ? {} : { nativeFields: native }),
    ...compact({
      maxTokens: fields.count('max_output_tokens'),
      temperature: fields.number('temperature'),
      topP: fields.number('top_p'),
      topLogprobs: fields.count('top_logprobs'),
      logprobs: wantsLogprobs(fields),
      parallelToolCalls: fields.flag('parallel_tool_calls'),
      responseFormat: formatOf(
        newest(updates, (update) => update.inside('text')?.inside('format')) ??
          text?.inside('format'),
      ),
      reasoning: reasoningOf(
        fields.inside('reasoning'),
        newest(updates, (update) => effortOf(update.inside('reasoning'))),
      ),
      verbosity: text?.text('verbosity'),
      user: fields.text('user') ?? fields.text('safety_identifier'),
      metadata: fields.object('metadata'),
      store: fields.flag('store'),
      serviceTier: fields.text('service_tier'),
      promptCacheKey: fields.text('prompt_cache_key'),
    }),
  }
}

/** Tools may be added in the middle of a conversation. Other dialects cannot express that, so these tools are declared
 *  from the start. */
function withAddedTools(fields: Fields): Fields {
  const { input, tools } = fields.body
  const items = objectsOf(input)
  const added = items
    .filter(({ type }) => type === ADDED_TOOLS || type === SEARCH_OUTPUT)
    .flatMap((item) => new Fields(item, 'input').list('tools') ?? [])
  if (added.length === 0) return fields
  const declared = Array.isArray(tools) ? (tools as unknown[]) : []
  // A conversation that is sent again may add tools that were declared before.
  const byName = new Map<unknown, unknown>()
  for (const tool of [...declared, ...added])
    byName.set(toolKey(tool), joined(byName.get(toolKey(tool)), tool))
  return new Fields({ ...fields.body, tools: [...byName.values()] })
}

/** One search finds some tools of a namespace, and the next one finds others. */
function joined(known: unknown, tool: unknown): unknown {
  if (!isObject(known) || !isObject(tool) || tool.type !== 'namespace') return tool
  const all = [known.tools, tool.tools].flatMap((tools): unknown[] =>
    Array.isArray(tools) ? tools : [],
  )
  return { ...tool, tools: [...new Map(all.map((inner) => [toolKey(inner), inner])).values()] }
}

function toolKey(tool: unknown): unknown {
  return isObject(tool) && typeof tool.name === 'string'
    ? `${String(tool.type)} ${tool.name}`
    : tool
}

function parseInput(fields: Fields, names: Names): Conversation {
  const conversation: Conversation = { system: [], turns: [], names, clientCalls: new Set() }
  const instructions = fields.body.instructions
  if (typeof instructions === 'string' && instructions !== '') {
    conversation.system.push({ kind: 'text', text: instructions })
  }
  const { input } = fields.body
  if (typeof input === 'string') {
    conversation.turns.push({
      role: 'user',
      parts: input === '' ? [] : [{ kind: 'text', text: input }],
    })
    return conversation
  }
  const items = fields.items('input')
  if (items.length === 0) throw requestInvalid('input', 'is required')
  for (const item of items) parseItem(item, conversation)
  return conversation
}

/** Fields about the state and machinery of OpenAI's own server. */
function nativeFields(fields: Fields): string[] {
  const { body } = fields
  const names = ['previous_response_id', 'conversation', 'prompt'].filter(
    (name) => body[name] !== undefined && body[name] !== null,
  )
  if (body.background === true) names.push('background')
  if (isObject(body.prompt_cache_options) && body.prompt_cache_options.prewarm === true)
    names.push('prompt_cache_options.prewarm')
  return names
}

function wantsLogprobs(fields: Fields): boolean | undefined {
  return fields.list('include')?.includes('message.output_text.logprobs') ? true : undefined
}

function formatOf(format: Fields | undefined): ResponseFormat | undefined {
  switch (format?.text('type')) {
    case 'json_schema':
      return {
        type: 'schema',
        schema: format?.object('schema') ?? {},
        ...compact({
          name: format?.text('name'),
          strict: format?.flag('strict'),
          description: format?.text('description'),
        }),
      }
    case 'json_object':
      return { type: 'json' }
    default:
      return undefined
  }
}

/** Items that change settings of the conversation, each until a later one does. */
function updatesIn(fields: Fields): Fields[] {
  const isList = Array.isArray(fields.body.input)
  return isList ? fields.items('input').filter(({ body }) => body.type === NEW_SETTINGS) : []
}

function newest<Value>(
  updates: readonly Fields[],
  read: (update: Fields) => Value | undefined,
): Value | undefined {
  return updates.map(read).findLast((value) => value !== undefined)
}

function effortOf(reasoning: Fields | undefined): Effort | undefined {
  const effort = reasoning?.text('effort')
  if (effort === undefined || isEffort(effort)) return effort
  throw requestInvalid(reasoning?.name('effort') ?? 'effort', `"${effort}" is not supported`)
}

/** Clients ask for reasoning by asking for its summary.
 *  @param newEffort what an item of the conversation asks for instead */
function reasoningOf(
  reasoning: Fields | undefined,
  newEffort: Effort | undefined,
): ReasoningWish | undefined {
  const effort = newEffort ?? effortOf(reasoning)
  const summary = reasoning?.text('summary') ?? reasoning?.text('generate_summary')
  if (effort === undefined && summary === undefined) return undefined
  return compact({ effort, summary, includeThoughts: summary !== undefined })
}
