// Custom tools of the chat dialect. Source: platform.openai.com, API reference, "Create chat completion" (tools,
// tool_choice, tool_calls).
import type { ToolDeclaration } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import type { Fields } from '../neutral/fields.ts'
import { freeformTool } from '../neutral/freeform-tools.ts'
import { isOpenaiModel } from '../neutral/model-families.ts'

export function parseCustomTool(target: Fields): ToolDeclaration {
  const format = target.object('format')
  return freeformTool(target.requiredText('name'), target.text('description'), flatFormat(format))
}

/** Chat nests a grammar in an object; Responses, whose form the neutral one is, does not. */
function flatFormat(format: JsonObject | undefined): JsonObject | undefined {
  return isObject(format?.grammar) ? { type: 'grammar', ...format.grammar } : format
}

function declaresCustomTools({ tools }: JsonObject): boolean {
  return Array.isArray(tools) && tools.some(isCustom)
}

function holdsCustomCalls({ messages }: JsonObject): boolean {
  if (!Array.isArray(messages)) return false
  return messages.some(
    (message) =>
      isObject(message) && Array.isArray(message.tool_calls) && message.tool_calls.some(isCustom),
  )
}

/** Servers of this dialect other than OpenAI's only know functions. */
export function canPass(body: JsonObject, model: string): boolean {
  return isOpenaiModel(model) || !(declaresCustomTools(body) || holdsCustomCalls(body))
}

function isCustom(entry: unknown): boolean {
  return isObject(entry) && entry.type === 'custom'
}
