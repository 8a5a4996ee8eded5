// What system messages in a conversation change (API reference, beta of messages with the role `system`): other dialects know one
// system text and one list of tools.
import { isObject, type JsonObject } from '../../contract/json.ts'
import { Fields } from '../neutral/fields.ts'

/** The messages that the model is shown: some system messages are for the turn before them alone. */
export function shownMessages(messages: readonly Fields[]): Fields[] {
  const lastOfUser = messages.findLastIndex(({ body }) => body.role === 'user')
  return messages.filter(({ body }, at) => body.clear_at !== 'next_user_message' || at > lastOfUser)
}

/** The body with the tools as the conversation has left them. */
export function withToolChanges(fields: Fields, messages: readonly Fields[]): Fields {
  const changes = messages
    .filter(({ body }) => body.role === 'system' && Array.isArray(body.content))
    .flatMap((message) => message.items('content'))
    .filter(({ body }) => body.type === 'tool_addition' || body.type === 'tool_removal')
  if (changes.length === 0) return fields
  const declared = (fields.list('tools') ?? []).map((tool) => [nameOf(tool), tool] as const)
  const known = new Map(declared)
  const offered = new Map(declared)
  for (const { body } of changes) {
    const tool: JsonObject = isObject(body.tool) ? body.tool : {}
    if (isObject(tool.definition)) known.set(nameOf(tool.definition), tool.definition)
    const name = nameOf(tool.definition ?? tool)
    if (body.type === 'tool_removal') offered.delete(name)
    else if (known.has(name)) offered.set(name, known.get(name))
  }
  return new Fields({ ...fields.body, tools: [...offered.values()] }, fields.path)
}

function nameOf(tool: unknown): unknown {
  return isObject(tool) ? tool.name : undefined
}
