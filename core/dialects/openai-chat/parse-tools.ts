import type {
  ChatRequest,
  HostedTool,
  ToolChoice,
  ToolDeclaration,
} from '../../contract/neutral.ts'
import { Fields } from '../neutral/fields.ts'
import { requestInvalid } from '../neutral/request-errors.ts'
import { parseCustomTool } from './custom-tools.ts'
import { cacheMark } from '../neutral/cache-mark.ts'

type ToolFields = Pick<ChatRequest, 'tools' | 'hostedTools' | 'toolChoice' | 'legacyFunctions'>

export function parseTools(body: Fields): ToolFields {
  if (body.list('functions') !== undefined && body.list('tools') === undefined) {
    return parseLegacyFunctions(body)
  }
  const result: ToolFields = { tools: [], hostedTools: [] }
  for (const tool of body.items('tools')) {
    const target = tool.inside('function')
    const custom = tool.text('type') === 'custom' ? tool.inside('custom') : undefined
    if (target !== undefined) {
      result.tools.push({ ...declaration(target), ...cacheMark(tool.body) })
    } else if (custom !== undefined) {
      result.tools.push(parseCustomTool(custom))
    } else {
      result.hostedTools.push(hostedTool(tool))
    }
  }
  const choice = parseToolChoice(body)
  return choice === undefined ? result : { ...result, toolChoice: choice }
}

/** @throws request.invalid if a function has the form of another dialect */
function hostedTool(tool: Fields): HostedTool {
  const type = tool.text('type') ?? ''
  if (type === 'function' || type === 'custom') throw requestInvalid(tool.name(type), 'is required')
  if (type === '' && tool.text('name') !== undefined)
    throw requestInvalid(tool.name('type'), 'is required')
  const kind = type.startsWith('web_search') ? 'web_search' : 'other'
  return { kind, dialect: 'openai-chat', raw: tool.body }
}

function declaration(target: Fields): ToolDeclaration {
  const description = target.text('description')
  const parameters = target.object('parameters')
  const strict = target.flag('strict')
  return {
    name: target.requiredText('name'),
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(strict === undefined ? {} : { strict }),
  }
}

const MODES: ReadonlyMap<string, 'auto' | 'required' | 'none'> = new Map(
  Object.entries<'auto' | 'required' | 'none'>({
    auto: 'auto',
    required: 'required',
    any: 'required',
    none: 'none',
    // Gemini's mode, which Copilot sends for its models.
    validated: 'auto',
  }),
)

function parseToolChoice(body: Fields): ToolChoice | undefined {
  const value = body.body.tool_choice
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') {
    const mode = MODES.get(value)
    if (mode === undefined) throw requestInvalid('tool_choice', `"${value}" is not supported`)
    return { mode }
  }
  const choice = body.inside('tool_choice')
  if (choice === undefined) return undefined
  if (choice.text('type') === 'allowed_tools') return allowedTools(choice)
  return { mode: 'one', name: namedTool(choice) }
}

function allowedTools(choice: Fields): ToolChoice {
  const allowed = choice.inside('allowed_tools') ?? choice
  const names = allowed.items('tools').map(namedTool)
  return { mode: 'some', names, required: allowed.text('mode') === 'required' }
}

function namedTool(tool: Fields): string {
  return (tool.inside('function') ?? tool.inside('custom') ?? tool).requiredText('name')
}

/** Reads `functions` and `function_call`, which came before tools. */
function parseLegacyFunctions(body: Fields): ToolFields {
  const tools = body.items('functions').map(declaration)
  const value = body.body.function_call
  const base: ToolFields = { tools, hostedTools: [], legacyFunctions: true }
  if (value === 'auto' || value === 'none') return { ...base, toolChoice: { mode: value } }
  const one = value === undefined || value === null ? undefined : body.inside('function_call')
  return one === undefined
    ? base
    : { ...base, toolChoice: { mode: 'one', name: one.requiredText('name') } }
}
