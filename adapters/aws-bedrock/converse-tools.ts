// toolConfig. Source: docs.aws.amazon.com/bedrock, API reference ToolConfiguration, ToolSpecification, ToolChoice.
import type { ChatRequest, JsonObject, ToolDeclaration } from '#core'
import { compact, freeformDescription, toolsNamed } from '#adapter-kit'
import { novaSchema } from './converse-schema.ts'
import type { Traits } from './converse-traits.ts'

type Drop = (field: string) => void

/** Undefined when the model may not call: there is no choice "none". */
export function toToolConfig(
  request: ChatRequest,
  rename: (name: string) => string,
  traits: Traits,
  drop: Drop,
): JsonObject | undefined {
  if (request.toolChoice?.mode === 'none') return undefined
  const { tools, choice } = offer(request, traits, drop)
  if (tools.length === 0) return undefined
  if (request.parallelToolCalls === false) drop('parallel_tool_calls')
  const isCached = traits.cachePoints === 'everywhere' && tools.some((tool) => tool.cache)
  return compact({
    tools: [
      ...tools.map((tool) => toTool(tool, rename, traits)),
      ...(isCached ? [{ cachePoint: { type: 'default' } }] : []),
    ],
    toolChoice: choice && toChoice(choice, rename),
  })
}

interface Offer {
  tools: readonly ToolDeclaration[]
  choice?: { any: true } | { name: string }
}

/** If a tool cannot be forced by name, only that tool is offered. */
function offer({ tools, toolChoice }: ChatRequest, traits: Traits, drop: Drop): Offer {
  const { demandsCalls } = traits
  const only = (names: readonly string[]) => toolsNamed(tools, names)
  const demanded = (offered: readonly ToolDeclaration[]): Offer => {
    if (demandsCalls !== 'never') return { tools: offered, choice: { any: true } }
    drop('tool_choice')
    return { tools: offered }
  }
  switch (toolChoice?.mode) {
    case 'required':
      return demanded(tools)
    case 'one':
      return demandsCalls === 'by-name'
        ? { tools, choice: { name: toolChoice.name } }
        : demanded(only([toolChoice.name]))
    case 'some':
      return toolChoice.required
        ? demanded(only(toolChoice.names))
        : { tools: only(toolChoice.names) }
    default:
      return { tools }
  }
}

function toChoice(
  choice: NonNullable<Offer['choice']>,
  rename: (name: string) => string,
): JsonObject {
  return 'any' in choice ? { any: {} } : { tool: { name: rename(choice.name) } }
}

function toTool(
  tool: ToolDeclaration,
  rename: (name: string) => string,
  { takesSchema, vendor }: Traits,
): JsonObject {
  const { name, parameters, strict } = tool
  const description = freeformDescription(tool)
  const schema = { type: 'object', properties: {}, ...parameters }
  return {
    toolSpec: compact({
      name: rename(name),
      description: description === '' ? undefined : description,
      inputSchema: { json: vendor === 'amazon' ? novaSchema(schema) : schema },
      strict: takesSchema && strict === true ? true : undefined,
    }),
  }
}
