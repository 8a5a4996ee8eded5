import type { ChatRequest, ToolChoice, ToolDeclaration } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { compact } from '../neutral/fields.ts'
import { freeformDescription } from '../neutral/freeform-tools.ts'
import { withItems } from '../neutral/schema-items.ts'
import { isOpenaiModel, takesParallelSwitch } from '../neutral/model-families.ts'
import { withObjectParameters } from '../neutral/object-root.ts'
import { isDispensable, unsupportedTool } from '../neutral/request-errors.ts'
import { type Rename, toolsNamed } from '../neutral/tool-names.ts'

/** The fields `tools`, `tool_choice`, `parallel_tool_calls` and `web_search_options`. */
export function buildTools(
  request: ChatRequest,
  { model, searches }: { model: string; searches: boolean },
  rename: Rename,
): JsonObject {
  const { tools, choice } = allowed(request, isOpenaiModel(model))
  const hosted = request.hostedTools.flatMap((tool) => {
    if (isDispensable(tool, request)) return []
    if (tool.dialect === 'openai-chat') return [tool.raw]
    throw unsupportedTool(tool)
  })
  const all = [...tools.map((tool) => buildTool(tool, rename)), ...hosted]
  return compact({
    tools: all.length === 0 ? undefined : all,
    tool_choice: all.length === 0 ? undefined : buildChoice(choice, rename),
    parallel_tool_calls:
      all.length === 0 || !takesParallelSwitch(model) ? undefined : request.parallelToolCalls,
    web_search_options:
      request.webSearch === undefined || !searches
        ? undefined
        : compact({
            search_context_size: request.webSearch.contextSize,
            user_location: request.webSearch.userLocation,
          }),
  })
}

/** Only OpenAI knows `allowed_tools`; for other upstreams the list of tools itself is shortened. */
function allowed(
  request: ChatRequest,
  knowsAllowedTools: boolean,
): { tools: ToolDeclaration[]; choice: ToolChoice | undefined } {
  const choice = request.toolChoice
  if (choice?.mode !== 'some' || knowsAllowedTools) return { tools: request.tools, choice }
  return {
    tools: toolsNamed(request.tools, choice.names),
    choice: { mode: choice.required ? 'required' : 'auto' },
  }
}

function buildTool(tool: ToolDeclaration, rename: Rename): JsonObject {
  const { parameters } = withObjectParameters(tool)
  return {
    type: 'function',
    function: compact({
      name: rename(tool.name),
      description: freeformDescription(tool),
      parameters: parameters && withItems(parameters),
      strict: tool.strict,
    }),
  }
}

function buildChoice(choice: ToolChoice | undefined, rename: Rename): unknown {
  switch (choice?.mode) {
    case undefined:
      return undefined
    case 'one':
      return { type: 'function', function: { name: rename(choice.name) } }
    case 'some':
      return {
        type: 'allowed_tools',
        allowed_tools: {
          mode: choice.required ? 'required' : 'auto',
          tools: choice.names.map((name) => ({
            type: 'function',
            function: { name: rename(name) },
          })),
        },
      }
    default:
      return choice?.mode
  }
}
