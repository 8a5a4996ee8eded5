// OpenAI's custom tools take plain text. For other providers they become functions with one text parameter.
import type { ChatRequest, ToolDeclaration } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { boundedJson } from '../../wire/bounded-json.ts'

const PARAMETERS: JsonObject = Object.freeze({
  type: 'object',
  properties: { input: { type: 'string', description: 'The whole input of the tool.' } },
  required: ['input'],
  additionalProperties: false,
})

export function freeformTool(
  name: string,
  description: string | undefined,
  format: JsonObject | undefined,
): ToolDeclaration {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    parameters: PARAMETERS,
    freeform: format === undefined ? {} : { format },
  }
}

/** A description that includes the grammar, for models that do not get `format`. */
export function freeformDescription(tool: ToolDeclaration): string | undefined {
  const definition = tool.freeform?.format?.definition
  if (typeof definition !== 'string') return tool.description
  return `${tool.description ?? ''}\nThe input follows this grammar:\n${definition}`.trimStart()
}

/** The request with the grammars of its tools in their descriptions, for upstreams that accept only names, descriptions and parameters. */
export function withGrammars(request: ChatRequest): ChatRequest {
  if (!request.tools.some((tool) => tool.freeform?.format !== undefined)) return request
  return {
    ...request,
    tools: request.tools.map((tool) => {
      const description = freeformDescription(tool)
      return description === tool.description ? tool : { ...tool, description }
    }),
  }
}

export function freeformArguments(input: string): string {
  return JSON.stringify({ input })
}

/** The same for text that arrives in pieces. */
export class FreeformPieces {
  #isBegun = false

  add(text: string): string {
    const head = this.#isBegun ? '' : '{"input":"'
    this.#isBegun = true
    return head + JSON.stringify(text).slice(1, -1)
  }

  end(): string {
    return `${this.add('')}"}`
  }
}

export function freeformInput(text: string): string {
  try {
    const value = boundedJson(text)
    return isObject(value) && typeof value.input === 'string' ? value.input : text
  } catch {
    return text
  }
}

export function freeformNames(
  request: Pick<ChatRequest, 'tools'> | undefined,
): ReadonlySet<string> {
  const names = new Set<string>()
  for (const tool of request?.tools ?? []) if (tool.freeform !== undefined) names.add(tool.name)
  return names
}
