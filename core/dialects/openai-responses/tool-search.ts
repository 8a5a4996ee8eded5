// A search for tools that the client runs (`tool_search` with `execution: client`, as in Codex). For providers other
// than OpenAI it is a function, and the tools that it finds are declared from then on.
import type { ChatRequest, Part, ToolDeclaration } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { compact, type Fields } from '../neutral/fields.ts'
import { asText } from '../neutral/parsed-event.ts'
import type { ItemStatus } from './output-items.ts'
import type { NameOf } from './namespaces.ts'

export const TOOL_SEARCH = 'tool_search'
export const SEARCH_OUTPUT = 'tool_search_output'

export function parseToolSearch(tool: Fields): ToolDeclaration | undefined {
  if (tool.text('execution') !== 'client') return undefined
  const said = compact({
    description: tool.text('description'),
    parameters: tool.object('parameters'),
  })
  return { name: TOOL_SEARCH, ...said, search: tool.body }
}

export function searchNames(request: Pick<ChatRequest, 'tools'> | undefined): ReadonlySet<string> {
  const found = (request?.tools ?? []).filter(({ search }) => search !== undefined)
  return new Set(found.map(({ name }) => name))
}

/** Reads a call of a search.
 *  @returns undefined for one that OpenAI has run */
export function searchCallPart({ body }: Fields): Part | undefined {
  const id = clientCallId(body)
  if (id === undefined) return undefined
  return {
    kind: 'tool_call',
    id,
    name: TOOL_SEARCH,
    arguments: JSON.stringify(isObject(body.arguments) ? body.arguments : {}),
  }
}

/** The result contains only the names; the tools themselves are declared in the request. */
export function searchResultPart({ body }: Fields, nameOf: NameOf): Part | undefined {
  const callId = clientCallId(body)
  if (callId === undefined) return undefined
  const names = foundTools(body).flatMap((tool) => {
    if (tool.type !== 'namespace') return [asText(tool.name)]
    return foundTools(tool).map((inner) => nameOf(asText(inner.name), asText(tool.name)))
  })
  const text =
    names.length === 0 ? 'No tool was found.' : `These tools can be called: ${names.join(', ')}`
  return { kind: 'tool_result', callId, content: [{ kind: 'text', text }] }
}

function clientCallId({ execution, call_id: id }: JsonObject): string | undefined {
  return execution === 'client' && typeof id === 'string' && id !== '' ? id : undefined
}

function foundTools({ tools }: JsonObject): JsonObject[] {
  return Array.isArray(tools) ? tools.filter(isObject) : []
}

/** @param text the arguments as a model wrote them */
export function searchCallItem(
  id: string,
  status: ItemStatus,
  call: { id: string; text: string },
): JsonObject {
  return {
    id,
    type: 'tool_search_call',
    status,
    call_id: call.id,
    execution: 'client',
    arguments: objectOf(call.text),
  }
}

function objectOf(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
