// Turns items of OpenAI's own tools into texts that other providers can read in a conversation.
import type { Part } from '../../contract/neutral.ts'
import { asText, isObject, objectsOf, type JsonObject } from '../../contract/json.ts'
import { sourceOfUrl } from '../neutral/media.ts'
import {
  anyToolText,
  codeFence,
  lines,
  outputFence,
  toolText,
} from '../neutral/server-tool-text.ts'

const writers: Readonly<Record<string, (item: JsonObject) => Part[]>> = {
  web_search_call: ({ action }) => [text(searchText(isObject(action) ? action : {}))],
  file_search_call: (item) => [text(fileSearchText(item))],
  code_interpreter_call: (item) => [text(codeText(item))],
  image_generation_call: imageParts,
  computer_call_output: screenParts,
  // Each upstream that uses the server lists its tools anew.
  mcp_list_tools: () => [],
}

/** Reads any `…_call`, `…_output` or `mcp_…` item. */
export function serverToolParts(type: string, item: JsonObject): Part[] {
  const write = Object.hasOwn(writers, type) ? writers[type] : undefined
  return write === undefined ? [text(anyToolText(type, item))] : write(item)
}

function text(said: string): Part {
  return { kind: 'text', text: said }
}

function searchText(action: JsonObject): string {
  const queries = Array.isArray(action.queries) ? action.queries.map(asText) : []
  const query = asText(action.query) || queries.join(', ')
  return toolText('web_search', lines([query, asText(action.pattern), asText(action.url)]))
}

function fileSearchText({ queries, results }: JsonObject): string {
  const query = Array.isArray(queries) ? queries.map(asText).join(', ') : ''
  const found = objectsOf(results).map((result) =>
    lines([`- ${asText(result.filename)}`, asText(result.text)]),
  )
  return toolText('file_search', lines([query, ...found]))
}

function codeText({ code, outputs }: JsonObject): string {
  const logs = objectsOf(outputs).map((output) => output.logs)
  const written = codeFence('python', asText(code))
  return logs.length === 0 ? written : written + outputFence(...logs)
}

function imageParts(item: JsonObject): Part[] {
  const data = asText(item.result)
  if (data === '') return []
  const mediaType = `image/${asText(item.output_format) || 'png'}`
  return [{ kind: 'image', source: { type: 'base64', mediaType, data } }]
}

function screenParts(item: JsonObject): Part[] {
  const url = isObject(item.output) ? asText(item.output.image_url) : ''
  if (url === '') return [text(toolText('computer_call_output', ''))]
  return [{ kind: 'image', source: sourceOfUrl(url) }]
}
