// A search for tools that the client runs (`tool_search` with `execution: client`, as in Codex). The tools that it finds are
// declared from then on.
import { asText, isObject, objectsOf, type JsonObject } from '../../contract/json.ts'
import { compact } from '../neutral/fields.ts'
import type { ClientTool } from './client-tools.ts'
import type { Names } from './namespaces.ts'

export const SEARCH_OUTPUT = 'tool_search_output'

export const searchTool: ClientTool = {
  type: 'tool_search',
  outputType: SEARCH_OUTPUT,
  idPrefix: 'tsc',
  declare: (tool) =>
    isOfClient(tool.body)
      ? compact({ description: tool.text('description'), parameters: tool.object('parameters') })
      : undefined,
  argumentsIn: (call) => {
    if (!isOfClient(call)) return undefined
    return isObject(call.arguments) ? call.arguments : {}
  },
  resultIn: (output, nameOf) =>
    isOfClient(output) ? { text: foundText(output, nameOf) } : undefined,
  callFields: (args) => ({ execution: 'client', arguments: args }),
}

function isOfClient({ execution }: JsonObject): boolean {
  return execution === 'client'
}

/** Only the names; the tools themselves are declared in the request. */
function foundText(output: JsonObject, nameOf: Names['nameOf']): string {
  const names = objectsOf(output.tools).flatMap((tool) => {
    if (tool.type !== 'namespace') return [asText(tool.name)]
    return objectsOf(tool.tools).map((inner) => nameOf(asText(inner.name), asText(tool.name)))
  })
  return names.length === 0
    ? 'No tool was found.'
    : `These tools can be called: ${names.join(', ')}`
}
