import { isDeepStrictEqual } from 'node:util'
import type { ChatRequest, ToolChoice, ToolDeclaration, WebSearch } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { compact } from '../neutral/fields.ts'
import { freeformDescription } from '../neutral/freeform-tools.ts'
import { closesAllObjects } from '../neutral/json-schema.ts'
import { withObjectParameters } from '../neutral/object-root.ts'
import { isDispensable, unsupportedTool } from '../neutral/request-errors.ts'
import { type Rename, toolsNamed } from '../neutral/tool-names.ts'
import { fitSchema } from './fit-schema.ts'

const CALL_A_TOOL = 'Answer by calling one of the tools, not by text.'

/** The fields `tools` and `tool_choice`. `force`: whether a call can be demanded, which models refuse while they reason. */
export function buildTools(
  request: ChatRequest,
  rename: Rename,
  can: { force: boolean; strict: boolean },
): JsonObject {
  const allowed = allowedTools(request)
  const hosted = request.hostedTools.flatMap((tool) => {
    if (tool.dialect === 'anthropic-messages') return [tool.raw]
    if (isDispensable(tool, request)) return []
    throw unsupportedTool(tool)
  })
  const hasOwnSearch = request.hostedTools.some(
    (tool) => tool.dialect === 'anthropic-messages' && tool.kind === 'web_search',
  )
  const search =
    request.webSearch === undefined || hasOwnSearch ? [] : [searchTool(request.webSearch)]
  const tools = [
    ...allowed.map((tool) => buildTool(tool, rename, can.strict)),
    ...hosted,
    ...search,
  ]
  if (tools.length === 0) return {}
  return { tools, ...choiceField(request, rename, can.force) }
}

function allowedTools(request: ChatRequest): ToolDeclaration[] {
  const choice = request.toolChoice
  if (choice?.mode !== 'some') return request.tools
  return toolsNamed(request.tools, choice.names)
}

function buildTool(tool: ToolDeclaration, rename: Rename, takesStrict: boolean): JsonObject {
  return compact({
    name: rename(tool.name),
    description: freeformDescription(tool),
    input_schema: inputSchema(withObjectParameters(tool).parameters),
    strict: isSentStrict(tool, takesStrict) ? true : undefined,
    cache_control: tool.cache?.control,
  })
}

/** `strict` is supported together with structured output, and requires closed objects and a schema without limits that it
 *  cannot hold. Those stay in the schema of a tool that is not strict, where the model reads them. */
export function isSentStrict({ strict, parameters }: ToolDeclaration, isTaken: boolean): boolean {
  return isTaken && strict === true && isExact(parameters)
}

function isExact(parameters: JsonObject | undefined): boolean {
  if (!closesAllObjects(parameters)) return false
  return parameters === undefined || isDeepStrictEqual(fitSchema(parameters), parameters)
}

function inputSchema(parameters: JsonObject | undefined): JsonObject {
  if (parameters === undefined || Object.keys(parameters).length === 0) {
    return { type: 'object', properties: {} }
  }
  return parameters
}

const USES = { low: 1, medium: 5, high: 10 } as const

function searchTool(search: WebSearch): JsonObject {
  return compact({
    type: 'web_search_20250305',
    name: 'web_search',
    max_uses: search.maxUses ?? USES[search.contextSize ?? 'medium'],
    user_location: flatLocation(search.userLocation),
    allowed_domains: search.allowedDomains,
    blocked_domains: search.blockedDomains,
  })
}

function flatLocation(location: JsonObject | undefined): JsonObject | undefined {
  if (location === undefined) return undefined
  const place = isObject(location.approximate) ? location.approximate : location
  return { type: 'approximate', ...place }
}

function choiceField(request: ChatRequest, rename: Rename, canForce: boolean): JsonObject {
  const mode = choiceOf(request.toolChoice, rename, canForce)
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
  canForce: boolean,
): JsonObject | undefined {
  switch (choice?.mode) {
    case undefined:
      return undefined
    case 'auto':
    case 'none':
      return { type: choice?.mode }
    case 'required':
      return { type: canForce ? 'any' : 'auto' }
    case 'one':
      return canForce ? { type: 'tool', name: rename(choice.name) } : { type: 'auto' }
    case 'some':
      return { type: choice.required && canForce ? 'any' : 'auto' }
  }
}

/** Says in words which tool must be called, for models that refuse to be forced. Undefined if the client leaves it to the model. */
export function demandInstruction(
  { tools, toolChoice }: Pick<ChatRequest, 'tools' | 'toolChoice'>,
  rename: Rename,
): string | undefined {
  switch (toolChoice?.mode) {
    case 'one':
      return tools.length > 0
        ? `Answer by calling the tool "${rename(toolChoice.name)}", not by text.`
        : undefined
    case 'required':
      return tools.length > 0 ? CALL_A_TOOL : undefined
    case 'some':
      return toolChoice.required ? CALL_A_TOOL : undefined
    default:
      return undefined
  }
}
