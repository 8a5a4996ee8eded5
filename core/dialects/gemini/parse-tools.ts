import type { ChatRequest, HostedTool, ToolChoice } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { compact, type Fields } from '../neutral/fields.ts'
import { fromGeminiSchema } from './to-json-schema.ts'
import { insideCamel, itemsOf } from './fields.ts'

type ToolFields = Pick<ChatRequest, 'tools' | 'hostedTools' | 'toolChoice' | 'webSearch'>

const HOSTED: ReadonlyMap<string, HostedTool['kind']> = new Map([
  ['googleSearch', 'web_search'],
  ['googleSearchRetrieval', 'web_search'],
  ['codeExecution', 'code_execution'],
  ['urlContext', 'url_context'],
  ['fileSearch', 'file_search'],
  ['computerUse', 'computer'],
  ['mcpServers', 'mcp'],
])

export function parseTools(body: Fields): ToolFields {
  const result: ToolFields = { tools: [], hostedTools: [] }
  for (const tool of itemsOf(body, 'tools')) {
    for (const declared of itemsOf(tool, 'functionDeclarations')) {
      result.tools.push({
        name: declared.requiredText('name'),
        ...compact({
          description: declared.text('description'),
          parameters: parametersOf(declared),
        }),
      })
    }
    for (const [name, value] of Object.entries(tool.body)) {
      if (name === 'functionDeclarations' || value === undefined || value === null) continue
      // A tool that is new at Google is passed on to Google, and refused by name elsewhere.
      const kind = HOSTED.get(name) ?? 'other'
      result.hostedTools.push({ kind, dialect: 'gemini', raw: { [name]: value } })
      if (kind === 'web_search') result.webSearch = {}
    }
  }
  const choice = choiceOf(body)
  return choice === undefined ? result : { ...result, toolChoice: choice }
}

function parametersOf(declared: Fields): JsonObject | undefined {
  const schema = declared.body.parametersJsonSchema
  if (isObject(schema)) return schema
  const parameters = declared.object('parameters')
  return parameters === undefined ? undefined : fromGeminiSchema(parameters)
}

function choiceOf(body: Fields): ToolChoice | undefined {
  const toolConfig = insideCamel(body, 'toolConfig')
  const config =
    toolConfig === undefined ? undefined : insideCamel(toolConfig, 'functionCallingConfig')
  const names = config?.texts('allowedFunctionNames') ?? []
  switch (config?.text('mode')?.toUpperCase()) {
    case 'NONE':
      return { mode: 'none' }
    case 'ANY': {
      const only = names.length === 1 ? names[0] : undefined
      if (only !== undefined) return { mode: 'one', name: only }
      return names.length === 0 ? { mode: 'required' } : { mode: 'some', names, required: true }
    }
    case 'AUTO':
    case 'VALIDATED':
      return names.length === 0 ? { mode: 'auto' } : { mode: 'some', names, required: false }
    default:
      return undefined
  }
}
