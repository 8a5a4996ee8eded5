import type {
  BuildTarget,
  ChatRequest,
  ToolChoice,
  ToolDeclaration,
} from '../../contract/dialect.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { compact } from '../fields.ts'
import { freeformDescription } from '../freeform-tools.ts'
import { toGeminiSchema } from '../json-schema-gemini.ts'
import { geminiVersion } from '../model-families.ts'
import { unsupportedParameter } from '../request-errors.ts'
import type { Rename } from '../tool-names.ts'

/** Function names by which chat clients ask for Gemini's own tools. */
const RESERVED: ReadonlySet<string> = new Set(['googleSearch', 'codeExecution', 'urlContext'])

const OWN_TOOLS: Readonly<Record<string, string>> = {
  web_search: 'googleSearch',
  code_execution: 'codeExecution',
  url_context: 'urlContext',
}

/** The fields `tools` and `toolConfig`. */
export function buildTools(request: ChatRequest, target: BuildTarget, rename: Rename): JsonObject {
  const declared = request.tools.filter((tool) => !RESERVED.has(tool.name))
  const declarations = declared.map((tool) => declaration(tool, target.model, rename))
  const tools = [
    ...(declarations.length === 0 ? [] : [{ functionDeclarations: declarations }]),
    ...ownTools(request),
  ]
  return compact({
    tools: tools.length === 0 ? undefined : tools,
    toolConfig: declarations.length === 0 ? undefined : toolConfig(request.toolChoice, rename),
  })
}

function ownTools(request: ChatRequest): JsonObject[] {
  const found = new Map<string, JsonObject>()
  for (const tool of request.tools) {
    if (RESERVED.has(tool.name)) found.set(tool.name, { [tool.name]: {} })
  }
  for (const tool of request.hostedTools) {
    const name = OWN_TOOLS[tool.kind]
    if (tool.dialect === 'gemini') found.set(Object.keys(tool.raw).join(), tool.raw)
    else if (name !== undefined) found.set(name, { [name]: {} })
    else throw unsupportedParameter('tools', `this model has no ${tool.kind} tool of its own`)
  }
  const hasSearch = found.has('googleSearch') || found.has('googleSearchRetrieval')
  if (request.webSearch !== undefined && !hasSearch) found.set('googleSearch', { googleSearch: {} })
  return [...found.values()]
}

function declaration(tool: ToolDeclaration, model: string, rename: Rename): JsonObject {
  return compact({
    name: rename(tool.name),
    description: freeformDescription(tool),
    ...parametersField(tool, model),
  })
}

function parametersField(tool: ToolDeclaration, model: string): JsonObject {
  const { parameters } = tool
  const isEmpty =
    parameters === undefined ||
    (isObject(parameters.properties)
      ? Object.keys(parameters.properties).length === 0
      : parameters.$ref === undefined && parameters.anyOf === undefined)
  if (isEmpty) return {}
  const { plain, full } = schemaFor(parameters, model, `tools.${tool.name}`)
  return plain === undefined ? { parametersJsonSchema: full } : { parameters: plain }
}

/** The reduced schema; whole for what the subset cannot say, which only newer models take.
 *  @throws request.unsupported_parameter for a recursive schema on an older model */
export function schemaFor(
  schema: JsonObject,
  model: string,
  field: string,
): { plain?: JsonObject; full?: JsonObject } {
  const plain = toGeminiSchema(schema)
  if (plain !== undefined) return { plain }
  if ((geminiVersion(model) ?? 0) >= 2.5) return { full: schema }
  throw unsupportedParameter(field, 'this model takes no schema that refers to itself')
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
      return calling(choice.required ? 'ANY' : 'AUTO', choice.names.map(rename))
  }
}

function calling(mode: string, allowedFunctionNames?: string[]): JsonObject {
  return { functionCallingConfig: compact({ mode, allowedFunctionNames }) }
}
