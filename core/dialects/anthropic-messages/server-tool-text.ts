// Blocks of Anthropic's own tools as text.
import { asText, isObject, objectsOf, type JsonObject } from '../../contract/json.ts'
import {
  anyToolText,
  codeFence,
  lines,
  outputFence,
  sourceLine,
  toolText,
} from '../neutral/server-tool-text.ts'

/** `server_tool_use`, `mcp_tool_use`. */
export function useText({ name, input }: JsonObject): string {
  const tool = asText(name)
  const fields = isObject(input) ? input : {}
  if (typeof fields.code === 'string') return codeFence('python', fields.code)
  if (tool === 'bash_code_execution') return codeFence('bash', asText(fields.command))
  const said = fields.query ?? fields.url ?? fields.pattern
  const isWhole = typeof said === 'string' && Object.keys(fields).length === 1
  return isWhole ? toolText(tool, said) : anyToolText(tool, fields)
}

/** `web_search_tool_result` and its sisters: `content` is a list of results, one result, or an error. */
export function resultText({ type, content }: JsonObject): string {
  const tool = asText(type).replace(/_tool_result$/, ' result')
  if (typeof content === 'string') return toolText(tool, content)
  if (!isObject(content)) {
    const found = objectsOf(content).map((entry) =>
      entry.type === 'text' ? asText(entry.text) : sourceLine(entry.title, entry.url),
    )
    return toolText(tool, `\n${lines(found)}`)
  }
  if (typeof content.error_code === 'string') return toolText(tool, `error: ${content.error_code}`)
  if ('stdout' in content || 'stderr' in content) return outputFence(content.stdout, content.stderr)
  if (isObject(content.content)) return fetchedText(tool, content.url, content.content)
  if (Array.isArray(content.tool_references)) {
    const names = objectsOf(content.tool_references).map((entry) => asText(entry.tool_name))
    return toolText(tool, names.join(', '))
  }
  return anyToolText(tool, content)
}

/** A page that was fetched: its text is there, a PDF is not. */
function fetchedText(tool: string, url: unknown, document: JsonObject): string {
  const source = isObject(document.source) ? document.source : {}
  const text = source.type === 'text' ? asText(source.data) : ''
  return toolText(tool, lines([sourceLine(document.title, url), text]))
}
