import type { BuildTarget } from '../../contract/dialect.ts'
import type { ChatRequest, ToolChoice, ToolDeclaration } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { compact } from '../neutral/fields.ts'
import { freeformDescription } from '../neutral/freeform-tools.ts'
import { toGeminiParameters, whyNotReduced } from './reduce-schema.ts'
import { geminiVersion } from '../neutral/model-families.ts'
import { isDispensable, unsupportedParameter, unsupportedTool } from '../neutral/request-errors.ts'
import { type Rename, toolsNamed } from '../neutral/tool-names.ts'

/** Function names with which chat clients ask for Gemini's built-in tools. */
const RESERVED: ReadonlySet<string> = new Set(['googleSearch', 'codeExecution', 'urlContext'])

const OWN_TOOLS: Readonly<Record<string, string>> = {
  web_search: 'googleSearch',
  code_execution: 'codeExecution',
  url_context: 'urlContext',
}

/** The fields `tools` and `toolConfig`. */
export function buildTools(request: ChatRequest, target: BuildTarget, rename: Rename): JsonObject {
  const choice = request.toolChoice
  // The mode AUTO does not accept a list of allowed functions, so the others are not declared.
  const allowed =
    choice?.mode === 'some' && !choice.required
      ? toolsNamed(request.tools, choice.names)
      : request.tools
  const declared = allowed.filter(({ name }) => !RESERVED.has(name))
  const declarations = declared.map((tool) => declaration(tool, target.upstreamModel, rename))
  const tools = [
    ...(declarations.length === 0 ? [] : [{ functionDeclarations: declarations }]),
    ...ownTools(request, target, declarations.length > 0),
  ]
  return compact({
    tools: tools.length === 0 ? undefined : tools,
    toolConfig: declarations.length === 0 ? undefined : toolConfig(choice, rename),
  })
}

/** No model searches beside functions; Gemini 3 would, but demands its searches back in the next turn. */
function ownTools(
  request: ChatRequest,
  { dropped }: BuildTarget,
  hasFunctions: boolean,
): JsonObject[] {
  const found = new Map<string, JsonObject>()
  for (const tool of request.tools) {
    if (RESERVED.has(tool.name)) found.set(tool.name, { [tool.name]: {} })
  }
  for (const tool of request.hostedTools) {
    const name = OWN_TOOLS[tool.kind]
    if (tool.dialect === 'gemini') found.set(Object.keys(tool.raw).join(), tool.raw)
    else if (name !== undefined && !(hasFunctions && isDispensable(tool, request)))
      found.set(name, { [name]: {} })
    else if (!isDispensable(tool, request)) throw unsupportedTool(tool)
  }
  const hasSearch = found.has('googleSearch') || found.has('googleSearchRetrieval')
  const wantsSearch =
    request.webSearch !== undefined || request.hostedTools.some(({ kind }) => kind === 'web_search')
  if (wantsSearch && !hasSearch) {
    if (hasFunctions) dropped.push('web_search_options')
    else found.set('googleSearch', { googleSearch: {} })
  }
  return [...found.values()]
}

function declaration(tool: ToolDeclaration, model: string, rename: Rename): JsonObject {
  return compact({
    name: rename(tool.name),
    description: freeformDescription(tool),
    ...parametersField(tool, model),
  })
}

function parametersField({ name, parameters }: ToolDeclaration, model: string): JsonObject {
  if (parameters === undefined) return {}
  const plain = toGeminiParameters(parameters)
  if (plain === undefined)
    return { parametersJsonSchema: wholeSchema(parameters, model, `tools.${name}`) }
  // The API refuses a root object without properties; such a function has no parameters.
  return plain.type === 'object' && plain.properties !== undefined ? { parameters: plain } : {}
}

/** A schema that the subset cannot express is sent as full JSON Schema, which only newer models accept.
 *  @throws request.unsupported_parameter for a recursive or very large schema on an older model */
export function wholeSchema(schema: JsonObject, model: string, field: string): JsonObject {
  if ((geminiVersion(model) ?? 0) >= 2.5) return schema
  throw unsupportedParameter(field, `this model takes no schema that ${whyNotReduced(schema)}`)
}

function toolConfig(choice: ToolChoice | undefined, rename: Rename): JsonObject | undefined {
  switch (choice?.mode) {
    case undefined:
      return undefined
    case 'auto':
      return calling('AUTO')
    case 'none':
      return calling('NONE')
    case 'required':
      return calling('ANY')
    case 'one':
      return calling('ANY', [rename(choice.name)])
    case 'some':
      return choice.required ? calling('ANY', choice.names.map(rename)) : calling('AUTO')
  }
}

function calling(mode: string, allowedFunctionNames?: string[]): JsonObject {
  return { functionCallingConfig: compact({ mode, allowedFunctionNames }) }
}
