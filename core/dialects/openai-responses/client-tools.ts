// OpenAI's own tools that the client runs. OpenAI's models know them; for other providers each is a function, and calls and results
// are items of the tool's own types for the client.
import type { ChatRequest, Part, ToolDeclaration } from '../../contract/neutral.ts'
import { asText, objectOf, type JsonObject } from '../../contract/json.ts'
import type { Fields } from '../neutral/fields.ts'
import type { Names } from './namespaces.ts'
import type { ItemStatus } from './output-items.ts'
import { patchTool } from './patch-tool.ts'
import { shellTool } from './shell-tool.ts'
import { searchTool } from './tool-search.ts'
import { parseLoosely } from '../../wire/parse-loosely.ts'

export interface ClientTool {
  /** Of the declaration. The function has it as its name, unless another function has that name. Calls are items of the
   *  type `<type>_call`. */
  type: string
  outputType: string
  idPrefix: string
  /** @returns undefined for a tool that OpenAI runs */
  declare(tool: Fields): Pick<ToolDeclaration, 'description' | 'parameters'> | undefined
  /** The arguments of a call that the client sends back; undefined if OpenAI has run it. */
  argumentsIn(call: JsonObject): JsonObject | undefined
  /** What came of a call; undefined if OpenAI has run it. */
  resultIn(
    output: JsonObject,
    nameOf: Names['nameOf'],
  ): { text: string; isError?: boolean } | undefined
  /** The fields of a call item beside id, type and status. */
  callFields(args: JsonObject): JsonObject
}

const clientTools: readonly ClientTool[] = [searchTool, shellTool, patchTool]

const byType = new Map(clientTools.map((tool) => [tool.type, tool]))
const byCall = new Map(clientTools.map((tool) => [`${tool.type}_call`, tool]))
const byOutput = new Map(clientTools.map((tool) => [tool.outputType, tool]))

/** @returns undefined for a tool that OpenAI runs, and for one of another type */
export function parseClientTool(tool: Fields): ToolDeclaration | undefined {
  const type = tool.requiredText('type')
  const declared = byType.get(type)?.declare(tool)
  return declared && { name: type, ...declared, ofClient: tool.body }
}

/** Reads a call or its result.
 *  @returns undefined for an item of another type, and for one that OpenAI has run */
export function clientToolPart(type: string, item: JsonObject, names: Names): Part | undefined {
  const id = item.call_id
  if (typeof id !== 'string' || id === '') return undefined
  const called = byCall.get(type)
  const args = called?.argumentsIn(item)
  if (called && args) {
    return {
      kind: 'tool_call',
      id,
      name: names.ofClient(called.type),
      arguments: JSON.stringify(args),
    }
  }
  const result = byOutput.get(type)?.resultIn(item, names.nameOf)
  if (result === undefined) return undefined
  const { text, isError } = result
  const content: Part[] = [{ kind: 'text', text }]
  return { kind: 'tool_result', callId: id, content, ...(isError ? { isError } : {}) }
}

/** The tools of a request that its client runs, by the names of their functions. */
export function clientToolsOf(
  request: Pick<ChatRequest, 'tools'> | undefined,
): ReadonlyMap<string, ClientTool> {
  return new Map(
    (request?.tools ?? []).flatMap(({ name, ofClient }) => {
      const tool = byType.get(asText(ofClient?.type))
      return tool === undefined ? [] : [[name, tool] as const]
    }),
  )
}

/** @param call `text`: the arguments as a model wrote them */
export function clientCallItem(
  tool: ClientTool,
  id: string,
  status: ItemStatus,
  call: { id: string; text: string },
): JsonObject {
  return {
    id,
    type: `${tool.type}_call`,
    status,
    call_id: call.id,
    ...tool.callFields(objectOf(parseLoosely(call.text))),
  }
}
