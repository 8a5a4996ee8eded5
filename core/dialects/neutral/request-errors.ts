import type { ChatRequest, HostedTool } from '../../contract/neutral.ts'
import { type AppError, errorType } from '../../contract/errors.ts'

const invalid = errorType<{ field: string; problem: string }>(
  'request.invalid',
  400,
  { en: '{field}: {problem}', zh: '{field}：{problem}' },
  { relay: 'invalid_request' },
)

const unsupported = errorType<{ field: string; problem: string }>(
  'request.unsupported_parameter',
  400,
  { en: '{field}: {problem}', zh: '{field}：{problem}' },
  { relay: 'unsupported_parameter' },
)

const foreignFile = errorType<{ field: string }>(
  'request.unsupported_file_reference',
  400,
  {
    en: '{field}: a file id of one provider cannot be used at another; send the file itself.',
    zh: '{field}：某一服务商的文件 ID 不能用于另一服务商，请直接发送文件内容。',
  },
  { relay: 'unsupported_file_reference' },
)

export function requestInvalid(field: string, problem: string): AppError {
  return invalid({ field, problem }, { field })
}

/** For what the target cannot say and must not be dropped in silence. */
export function unsupportedParameter(field: string, problem: string): AppError {
  return unsupported({ field, problem }, { field })
}

export function unsupportedFileReference(field: string): AppError {
  return foreignFile({ field }, { field })
}

/** A tool of the provider's own for an upstream that lacks it: refused by its type and name rather than left out. */
export function unsupportedTool({ kind, raw }: HostedTool): AppError {
  // Gemini writes the type as the name of the field.
  const own = typeof raw.type === 'string' ? raw.type : (Object.keys(raw)[0] ?? kind)
  // An MCP server of the Anthropic dialect says `url` of itself.
  const type = kind === 'mcp' ? kind : own
  const named = typeof raw.name === 'string' ? ` ("${shortened(raw.name)}")` : ''
  const problem = `this model has no tool of the type "${shortened(type)}"${named}`
  return unsupportedParameter('tools', problem)
}

/** What a model does without: a search is said in another field, and tools that are all declared need not be found. */
export function isDispensable({ kind }: HostedTool): boolean {
  return kind === 'web_search' || kind === 'tool_search'
}

/** Clients' words can be of any length. */
function shortened(text: string): string {
  return text.length > 64 ? `${text.slice(0, 63)}…` : text
}

/** @throws request.unsupported_parameter for the first field that no other dialect can say */
export function refuseNativeFields(request: ChatRequest): void {
  const field = request.nativeFields?.[0]
  if (field !== undefined) throw unsupportedParameter(field, 'is not supported by this model')
}
