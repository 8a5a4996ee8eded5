import type { ChatRequest, HostedTool, ToolChoice, WebSearch } from '../../contract/dialect.ts'
import { compact, type Fields } from '../fields.ts'
import { freeformTool } from '../freeform-tools.ts'
import { requestInvalid } from '../request-errors.ts'

type ToolFields = Pick<ChatRequest, 'tools' | 'hostedTools' | 'toolChoice' | 'webSearch'>

const HOSTED: readonly [prefix: string, kind: HostedTool['kind']][] = [
  ['web_search', 'web_search'],
  ['file_search', 'file_search'],
  ['code_interpreter', 'code_execution'],
  ['image_generation', 'image_generation'],
  ['mcp', 'mcp'],
  ['computer', 'computer'],
]

export function parseTools(body: Fields): ToolFields {
  const result: ToolFields = { tools: [], hostedTools: [] }
  for (const tool of body.items('tools')) {
    const type = tool.requiredText('type')
    if (type === 'function') {
      result.tools.push({
        name: tool.requiredText('name'),
        ...compact({
          description: tool.text('description'),
          parameters: tool.object('parameters'),
          strict: tool.flag('strict'),
        }),
      })
      continue
    }
    if (type === 'custom') {
      const name = tool.requiredText('name')
      result.tools.push(freeformTool(name, tool.text('description'), tool.object('format')))
      continue
    }
    const kind = HOSTED.find(([prefix]) => type.startsWith(prefix))?.[1] ?? 'other'
    result.hostedTools.push({ kind, dialect: 'openai-responses', raw: tool.body })
    if (kind === 'web_search') result.webSearch = webSearchOf(tool)
  }
  const choice = choiceOf(body)
  return choice === undefined ? result : { ...result, toolChoice: choice }
}

function webSearchOf(tool: Fields): WebSearch {
  const size = tool.text('search_context_size')
  const isSize = size === 'low' || size === 'medium' || size === 'high'
  const { type: _type, ...place } = tool.object('user_location') ?? {}
  return {
    ...(isSize ? { contextSize: size } : {}),
    ...(Object.keys(place).length === 0
      ? {}
      : { userLocation: { type: 'approximate', approximate: place } }),
  }
}

function choiceOf(body: Fields): ToolChoice | undefined {
  const value = body.body.tool_choice
  if (value === undefined || value === null) return undefined
  if (value === 'auto' || value === 'required' || value === 'none') return { mode: value }
  if (typeof value === 'string') throw requestInvalid('tool_choice', `"${value}" is not supported`)
  const choice = body.inside('tool_choice')
  switch (choice?.text('type')) {
    case 'function':
    case 'custom':
      return { mode: 'one', name: choice?.requiredText('name') ?? '' }
    case 'allowed_tools': {
      const names = choice?.items('tools').flatMap((tool) => tool.text('name') ?? []) ?? []
      return { mode: 'some', names, required: choice?.text('mode') === 'required' }
    }
    default:
      // One of the hosted tools by its type.
      return { mode: 'required' }
  }
}
