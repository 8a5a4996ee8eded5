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

/** For fields that the target cannot express and that must not be dropped silently. */
export function unsupportedParameter(field: string, problem: string): AppError {
  return unsupported({ field, problem }, { field })
}

export function unsupportedFileReference(field: string): AppError {
  return foreignFile({ field }, { field })
}

/** Refuses a provider's built-in tool by type and name, for an upstream that does not have it. */
export function unsupportedTool({ kind, raw }: HostedTool): AppError {
  // Gemini writes the type as the name of the field.
  const own = typeof raw.type === 'string' ? raw.type : (Object.keys(raw)[0] ?? kind)
  // In the Anthropic dialect an MCP server has the type `url`.
  const type = kind === 'mcp' ? kind : own
  const named = typeof raw.name === 'string' ? ` ("${shortened(raw.name)}")` : ''
  const problem = `this model has no tool of the type "${shortened(type)}"${named}`
  return unsupportedParameter('tools', problem)
}

/** Tools that a request can do without: a search is also expressed by another field, if all tools are declared, none must
 *  be searched for, and agents offer to draw beside their own tools whatever they are asked (Cline). */
export function isDispensable(
  { kind }: HostedTool,
  { tools, toolChoice }: Pick<ChatRequest, 'tools' | 'toolChoice'>,
): boolean {
  if (kind === 'image_generation') return tools.length > 0 && toolChoice?.mode !== 'required'
  return kind === 'web_search' || kind === 'tool_search'
}

/** Shortens text of the client, which may have any length. */
function shortened(text: string): string {
  return text.length > 64 ? `${text.slice(0, 63)}…` : text
}

/** @throws request.unsupported_parameter for the first field that no other dialect can say */
export function refuseNativeFields(request: ChatRequest): void {
  const field = request.nativeFields?.[0]
  if (field !== undefined) throw unsupportedParameter(field, 'is not supported by this model')
}
