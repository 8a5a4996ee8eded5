import type {
  ChatRequest,
  HostedTool,
  ToolChoice,
  ToolDeclaration,
  WebSearch,
} from '../../contract/neutral.ts'
import { Fields } from '../neutral/fields.ts'
import { requestInvalid } from '../neutral/request-errors.ts'
import { clientTool } from './client-tools.ts'
import { cacheMark } from '../neutral/cache-mark.ts'

type ToolFields = Pick<
  ChatRequest,
  'tools' | 'hostedTools' | 'toolChoice' | 'parallelToolCalls' | 'webSearch'
>

/** Kinds of the provider's own tools by the beginning of their dated type names. */
const HOSTED: readonly [prefix: string, kind: HostedTool['kind']][] = [
  ['web_search', 'web_search'],
  ['web_fetch', 'url_context'],
  ['code_execution', 'code_execution'],
  ['computer', 'computer'],
  ['mcp', 'mcp'],
  ['tool_search', 'tool_search'],
]

export function parseTools(body: Fields): ToolFields {
  const result: ToolFields = { tools: [], hostedTools: [] }
  for (const tool of body.items('tools')) {
    const type = tool.text('type') ?? 'custom'
    if (type === 'custom') {
      result.tools.push(declaration(tool))
      continue
    }
    const known = clientTool(type)
    if (known !== undefined) {
      result.tools.push({ name: tool.requiredText('name'), ...known, ...cacheMark(tool.body) })
      continue
    }
    const kind = HOSTED.find(([prefix]) => type.startsWith(prefix))?.[1] ?? 'other'
    result.hostedTools.push({ kind, dialect: 'anthropic-messages', raw: tool.body })
    if (kind === 'web_search') result.webSearch = webSearchOf(tool)
  }
  for (const server of body.items('mcp_servers')) {
    result.hostedTools.push({ kind: 'mcp', dialect: 'anthropic-messages', raw: server.body })
  }
  return { ...result, ...choiceOf(body) }
}

function declaration(tool: Fields): ToolDeclaration {
  const description = tool.text('description')
  const parameters = tool.object('input_schema')
  const strict = tool.flag('strict')
  const takesNothing =
    parameters === undefined ||
    Object.keys((parameters.properties as object | undefined) ?? {}).length === 0
  return {
    name: tool.requiredText('name'),
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined || (takesNothing && isBare(parameters)) ? {} : { parameters }),
    ...(strict === undefined ? {} : { strict }),
    ...cacheMark(tool.body),
  }
}

/** `{type: "object", properties: {}}` declares in this dialect that a tool takes no arguments. */
function isBare(schema: object): boolean {
  return Object.keys(schema).every((key) => key === 'type' || key === 'properties')
}

/** 1, 5 or 10 searches stand for the context sizes low, medium, high. */
function webSearchOf(tool: Fields): WebSearch {
  const maxUses = tool.count('max_uses')
  const location = tool.object('user_location')
  const allowedDomains = tool.texts('allowed_domains')
  const blockedDomains = tool.texts('blocked_domains')
  return {
    ...(allowedDomains === undefined ? {} : { allowedDomains }),
    ...(blockedDomains === undefined ? {} : { blockedDomains }),
    ...(maxUses === undefined ? {} : { maxUses, contextSize: sizeOf(maxUses) }),
    ...(location === undefined ? {} : { userLocation: approximate(location) }),
  }
}

function sizeOf(uses: number): 'low' | 'medium' | 'high' {
  if (uses <= 1) return 'low'
  return uses <= 5 ? 'medium' : 'high'
}

/** OpenAI nests what Anthropic writes in one object. */
function approximate(location: Record<string, unknown>): Record<string, unknown> {
  const { type: _type, ...place } = location
  return { type: 'approximate', approximate: place }
}

function choiceOf(body: Fields): Pick<ToolFields, 'toolChoice' | 'parallelToolCalls'> {
  const choice = body.inside('tool_choice')
  if (choice === undefined) return {}
  const disabled = choice.flag('disable_parallel_tool_use')
  return {
    toolChoice: modeOf(choice),
    ...(disabled === undefined ? {} : { parallelToolCalls: !disabled }),
  }
}

function modeOf(choice: Fields): ToolChoice {
  const type = choice.requiredText('type')
  switch (type) {
    case 'auto':
    case 'none':
      return { mode: type }
    case 'any':
      return { mode: 'required' }
    case 'tool':
      return { mode: 'one', name: choice.requiredText('name') }
    default:
      throw requestInvalid(choice.name('type'), `"${type}" is not supported`)
  }
}
