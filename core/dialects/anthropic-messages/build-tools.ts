import type { ChatRequest, ToolChoice, ToolDeclaration, WebSearch } from '../../contract/dialect.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { compact } from '../fields.ts'
import { unsupportedParameter } from '../request-errors.ts'
import type { Rename } from '../tool-names.ts'

/** The fields `tools` and `tool_choice`. While the model thinks no call can be forced. */
export function buildTools(request: ChatRequest, rename: Rename, isThinking: boolean): JsonObject {
  const allowed = allowedTools(request)
  const hosted = request.hostedTools.flatMap((tool) => {
    if (tool.dialect === 'anthropic-messages') return [tool.raw]
    if (tool.kind === 'web_search') return []
    throw unsupportedParameter('tools', `this model has no ${tool.kind} tool of its own`)
  })
  const hasOwnSearch = request.hostedTools.some(
    (tool) => tool.dialect === 'anthropic-messages' && tool.kind === 'web_search',
  )
  const search =
    request.webSearch === undefined || hasOwnSearch ? [] : [searchTool(request.webSearch)]
  const tools = [...allowed.map((tool) => buildTool(tool, rename)), ...hosted, ...search]
  if (tools.length === 0) return {}
  return { tools, ...choiceField(request, rename, isThinking) }
}

function allowedTools(request: ChatRequest): ToolDeclaration[] {
  const choice = request.toolChoice
  if (choice?.mode !== 'some') return request.tools
  return request.tools.filter((tool) => choice.names.includes(tool.name))
}

function buildTool(tool: ToolDeclaration, rename: Rename): JsonObject {
  return compact({
    name: rename(tool.name),
    description: tool.description,
    input_schema: inputSchema(tool.parameters),
    strict: tool.strict === true ? true : undefined,
    cache_control: tool.cache?.control,
  })
}

function inputSchema(parameters: JsonObject | undefined): JsonObject {
  if (parameters === undefined || Object.keys(parameters).length === 0) {
    return { type: 'object', properties: {} }
  }
  return parameters.type === undefined ? { type: 'object', ...parameters } : parameters
}

const USES = { low: 1, medium: 5, high: 10 } as const

function searchTool(search: WebSearch): JsonObject {
  return compact({
    type: 'web_search_20250305',
    name: 'web_search',
    max_uses: search.maxUses ?? USES[search.contextSize ?? 'medium'],
    user_location: flatLocation(search.userLocation),
  })
}

function flatLocation(location: JsonObject | undefined): JsonObject | undefined {
  if (location === undefined) return undefined
  const place = isObject(location.approximate) ? location.approximate : location
  return { type: 'approximate', ...place }
}

function choiceField(request: ChatRequest, rename: Rename, isThinking: boolean): JsonObject {
  const mode = choiceOf(request.toolChoice, rename, isThinking)
  if (request.parallelToolCalls === undefined || mode?.type === 'none') {
    return mode === undefined ? {} : { tool_choice: mode }
  }
  return {
    tool_choice: {
      ...(mode ?? { type: 'auto' }),
      disable_parallel_tool_use: !request.parallelToolCalls,
    },
  }
}

function choiceOf(
  choice: ToolChoice | undefined,
  rename: Rename,
  isThinking: boolean,
): JsonObject | undefined {
  switch (choice?.mode) {
    case undefined:
      return undefined
    case 'auto':
    case 'none':
      return { type: choice?.mode }
    case 'required':
      return { type: isThinking ? 'auto' : 'any' }
    case 'one':
      return isThinking ? { type: 'auto' } : { type: 'tool', name: rename(choice.name) }
    case 'some':
      return { type: choice.required && !isThinking ? 'any' : 'auto' }
  }
}
