// Fields of messages, parts and tools that the parsers do not read: providers add new ones every year.
import type { ChatDialect } from '../../../contract/dialect.ts'
import { isObject, type JsonObject } from '../../../contract/json.ts'
import { camelKeys } from '../../../dialects/gemini/fields.ts'

/** A list in the body, and the fields that are read of each object in it. */
interface List {
  key: string
  /** Undefined if another entry lists them. */
  read?: ReadonlySet<string>
  /** Selects the objects to look at. Others are read whole, or refused because of their type. */
  of?: (item: JsonObject) => boolean
  inner?: readonly List[]
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const hasType =
  (...types: (string | undefined)[]) =>
  ({ type }: JsonObject) =>
    types.includes(typeof type === 'string' ? type : undefined)

const lists: Readonly<Record<ChatDialect, readonly List[]>> = {
  'openai-chat': [
    {
      key: 'messages',
      read: words(
        'role content name refusal tool_calls tool_call_id function_call reasoning_content reasoning cache_control',
      ),
      inner: [
        {
          key: 'content',
          read: words('type text image_url input_audio file refusal thinking cache_control'),
        },
      ],
    },
    { key: 'reasoning', read: words('effort max_tokens exclude enabled') },
    {
      key: 'tools',
      of: hasType('function', undefined),
      read: words('type function cache_control'),
      inner: [{ key: 'function', read: words('name description parameters strict') }],
    },
  ],
  'openai-responses': [
    // `id` and `status` belong to items that are sent back from an answer; losing them changes nothing.
    {
      key: 'input',
      of: hasType('message', undefined),
      read: words('type role content id status'),
      inner: [
        {
          key: 'content',
          of: ({ type }) => type !== 'input_file',
          read: words('type text refusal image_url file_id detail input_audio'),
        },
        {
          key: 'content',
          of: hasType('input_file'),
          read: words('type file_id filename file_url file_data'),
        },
      ],
    },
    { key: 'reasoning', read: words('effort summary generate_summary') },
    { key: 'text', read: words('format verbosity') },
    { key: 'prompt_cache_options', read: words('prewarm') },
    {
      key: 'tools',
      of: hasType('function'),
      read: words('type name description parameters strict'),
    },
  ],
  'anthropic-messages': [
    {
      key: 'messages',
      read: words('role content clear_at'),
      inner: [
        // The content of a call's result is not searched any deeper.
        { key: 'content', of: hasType('text'), read: words('type text cache_control') },
        { key: 'content', of: hasType('image'), read: words('type source cache_control') },
        {
          key: 'content',
          of: hasType('document'),
          read: words('type source title context citations cache_control'),
        },
        {
          key: 'content',
          of: hasType('search_result'),
          read: words('type source title content cache_control'),
        },
      ],
    },
    { key: 'output_config', read: words('effort format') },
    { key: 'thinking', read: words('type budget_tokens display') },
    {
      key: 'tools',
      of: hasType('custom', undefined),
      read: words('type name description input_schema strict cache_control'),
    },
  ],
  gemini: [
    {
      key: 'contents',
      read: words('role parts'),
      inner: [
        {
          key: 'parts',
          read: words(
            'text inlineData fileData functionCall functionResponse executableCode codeExecutionResult toolCall toolResponse thought thoughtSignature',
          ),
          inner: [{ key: 'functionResponse', read: words('id name response parts') }],
        },
      ],
    },
    {
      key: 'tools',
      of: (tool) => tool['functionDeclarations'] !== undefined,
      read: words(
        'functionDeclarations googleSearch googleSearchRetrieval codeExecution urlContext',
      ),
      inner: [
        {
          key: 'functionDeclarations',
          read: words('name description parameters parametersJsonSchema'),
        },
      ],
    },
    { key: 'tools', inner: [{ key: 'googleSearch', read: new Set() }] },
    {
      key: 'generationConfig',
      inner: [{ key: 'speechConfig', read: words('voiceConfig') }],
    },
    {
      key: 'toolConfig',
      read: words('functionCallingConfig'),
      inner: [{ key: 'functionCallingConfig', read: words('mode allowedFunctionNames') }],
    },
  ],
}

/** The unread fields with the list that holds them, such as `tools.defer_loading`, each once. `isWish` tells whether a
 *  field's value asks for anything. */
export function foreignInnerFields(
  dialect: ChatDialect,
  body: JsonObject,
  isWish: (name: string, value: unknown) => boolean,
): string[] {
  const found = new Set<string>()
  const look = (holder: JsonObject, { key, read, of, inner = [] }: List): void => {
    for (const item of objectsOf(holder[key])) {
      const fields = dialect === 'gemini' ? camelKeys(item) : item
      if (of?.(fields) === false) continue
      for (const name of Object.keys(fields)) {
        if (read?.has(name) === false && isWish(name, fields[name])) found.add(`${key}.${name}`)
      }
      for (const list of inner) look(fields, list)
    }
  }
  for (const list of lists[dialect]) look(body, list)
  if (dialect === 'openai-chat' && objectsOf(body['messages']).some(isNamedSystem)) {
    found.add('messages.name')
  }
  return [...found]
}

/** Whether a system message follows the first user message: conversion moves all of them before the conversation. */
export function hoistsSystem(body: JsonObject): boolean {
  const messages = objectsOf(body['messages'] ?? body['input'])
  const first = messages.findIndex(({ role }) => role === 'user')
  return first >= 0 && messages.slice(first).some(isSystem)
}

function isSystem({ role }: JsonObject): boolean {
  return role === 'system' || role === 'developer'
}

function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : []
}

/** Whether a system message has a name, which is lost: system messages are joined into one text. */
function isNamedSystem(message: JsonObject): boolean {
  return isSystem(message) && typeof message['name'] === 'string'
}
