import type { ChatRequest, HostedTool, ToolChoice, WebSearch } from '../../contract/neutral.ts'
import type { Fields } from '../neutral/fields.ts'
import { requestInvalid } from '../neutral/request-errors.ts'
import {
  type Names,
  neutralNames,
  parseDeclaration,
  parseNamespace,
  separateNames,
} from './namespaces.ts'
import { addTo } from '../neutral/turns.ts'

type ToolFields = Pick<ChatRequest, 'tools' | 'hostedTools' | 'toolChoice' | 'webSearch'>

const HOSTED: readonly [prefix: string, kind: HostedTool['kind']][] = [
  ['web_search', 'web_search'],
  ['file_search', 'file_search'],
  ['code_interpreter', 'code_execution'],
  ['image_generation', 'image_generation'],
  ['mcp', 'mcp'],
  ['computer', 'computer'],
  ['tool_search', 'tool_search'],
]

export function parseTools(body: Fields): ToolFields {
  const result: ToolFields = { tools: [], hostedTools: [] }
  for (const tool of body.items('tools')) {
    const type = tool.requiredText('type')
    const declared = type === 'namespace' ? parseNamespace(tool) : (parseDeclaration(tool) ?? [])
    addTo(result.tools, Array.isArray(declared) ? declared : [declared])
    if (type === 'namespace' || !Array.isArray(declared)) continue
    const kind = HOSTED.find(([prefix]) => type.startsWith(prefix))?.[1] ?? 'other'
    result.hostedTools.push({ kind, dialect: 'openai-responses', raw: tool.body })
    if (kind === 'web_search') result.webSearch = webSearchOf(tool)
  }
  result.tools = separateNames(result.tools)
  const choice = choiceOf(body, result.tools)
  return choice === undefined ? result : { ...result, toolChoice: choice }
}

function webSearchOf(tool: Fields): WebSearch {
  const size = tool.text('search_context_size')
  const isSize = size === 'low' || size === 'medium' || size === 'high'
  const { type: _type, ...place } = tool.object('user_location') ?? {}
  const allowedDomains = tool.inside('filters')?.texts('allowed_domains')
  return {
    ...(allowedDomains === undefined ? {} : { allowedDomains }),
    ...(isSize ? { contextSize: size } : {}),
    ...(Object.keys(place).length === 0
      ? {}
      : { userLocation: { type: 'approximate', approximate: place } }),
  }
}

function choiceOf(body: Fields, tools: ChatRequest['tools']): ToolChoice | undefined {
  const value = body.body.tool_choice
  if (value === undefined || value === null) return undefined
  if (value === 'auto' || value === 'required' || value === 'none') return { mode: value }
  if (typeof value === 'string') throw requestInvalid('tool_choice', `"${value}" is not supported`)
  const choice = body.inside('tool_choice')
  const { nameOf } = neutralNames(tools)
  switch (choice?.text('type')) {
    case 'function':
    case 'custom':
      return {
        mode: 'one',
        name: nameOf(choice?.requiredText('name') ?? '', choice?.text('namespace')),
      }
    case 'allowed_tools': {
      const names = allowedNames(choice?.items('tools') ?? [], tools, nameOf)
      return { mode: 'some', names, required: choice?.text('mode') === 'required' }
    }
    default: {
      const own = ofClientNamed(choice?.text('type'), tools)
      // Otherwise one of the hosted tools, named by its type.
      return own === undefined ? { mode: 'required' } : { mode: 'one', name: own }
    }
  }
}

/** A tool of OpenAI's that the client runs is named by its type. */
function ofClientNamed(type: string | undefined, tools: ChatRequest['tools']): string | undefined {
  if (type === undefined) return undefined
  return tools.find(({ ofClient }) => ofClient?.type === type)?.name
}

/** A namespace stands for all tools that it contains. Each is listed once. */
function allowedNames(
  allowed: readonly Fields[],
  tools: ChatRequest['tools'],
  nameOf: Names['nameOf'],
): string[] {
  const names = new Set<string>()
  const namespaces = new Set<string>()
  for (const tool of allowed) {
    const type = tool.text('type')
    const name = tool.text('name') ?? ofClientNamed(type, tools)
    if (name === undefined) continue
    if (type === 'namespace') namespaces.add(name)
    else names.add(nameOf(name, tool.text('namespace')))
  }
  for (const { name, namespace } of tools) {
    if (namespace !== undefined && namespaces.has(namespace.name)) names.add(name)
  }
  return [...names]
}
