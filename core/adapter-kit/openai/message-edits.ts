// Edits of OpenAI-shaped chat bodies, answers and chunks that many adapters need. Each returns the same object if nothing changes.
import type { AttemptContext, Body } from '../../contract/adapter.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { jsonInstruction } from '../../dialects/neutral/json-schema.ts'
import { dataUrl } from '../../dialects/neutral/media.ts'

type Edit = (entry: JsonObject) => JsonObject

/** Every message of a request. */
export function editMessages(body: Body, edit: Edit): Body {
  return editList(body, 'messages', edit)
}

/** Every content part of every message of a request. */
export function editParts(body: Body, edit: Edit): Body {
  return editMessages(body, (message) => editList(message, 'content', edit))
}

/** Edits the message of every choice of an answer, or its delta in a chunk. */
export function editOutput(body: Body, edit: Edit): Body {
  return editList(body, 'choices', (choice) => {
    const key = isObject(choice['delta']) ? 'delta' : 'message'
    const value = choice[key]
    if (!isObject(value)) return choice
    const edited = edit(value)
    return edited === value ? choice : { ...choice, [key]: edited }
  })
}

/** For upstreams that do not know the developer role. */
export function withoutDeveloperRole(body: Body): Body {
  return editMessages(body, (message) =>
    message['role'] === 'developer' ? { ...message, role: 'system' } : message,
  )
}

/** For upstreams that support only `json_object`: the schema is described in a message, as conversions do. */
export function withoutJsonSchema(body: Body): Body {
  const format = body['response_format']
  if (!isObject(format) || format['type'] !== 'json_schema') return body
  const { json_schema: named } = format
  const schema = isObject(named) && isObject(named['schema']) ? named['schema'] : undefined
  const messages: unknown[] = Array.isArray(body['messages']) ? body['messages'] : []
  return {
    ...body,
    messages: [{ role: 'system', content: jsonInstruction(schema) }, ...messages],
    response_format: { type: 'json_object' },
  }
}

/** For upstreams that cannot be told which of several tools to call: only the named tool is offered, and `word` demands a call. */
export function namedToolOnly(body: Body, word: string): Body {
  const { tool_choice: choice, tools } = body
  const name = isObject(choice) ? functionName(choice) : undefined
  if (name === undefined || !Array.isArray(tools)) return body
  const offered = tools.filter((tool: unknown) => isObject(tool) && functionName(tool) === name)
  return { ...body, tools: offered, tool_choice: word }
}

/** The function's name in a tool, a call or a choice. */
export function functionName({ function: target }: JsonObject): string | undefined {
  return isObject(target) && typeof target['name'] === 'string' ? target['name'] : undefined
}

/** Downloads the images that `image_url` parts name by address, for upstreams that accept only data URLs. */
export async function inlineImages(
  body: Body,
  context: Pick<AttemptContext, 'fetchFile'>,
): Promise<Body> {
  const addresses = new Map<string, string>()
  editParts(body, (part) => {
    const url = remoteImage(part)
    if (url !== undefined) addresses.set(url, url)
    return part
  })
  await Promise.all(
    [...addresses.keys()].map(async (url) => {
      const { mediaType, data } = await context.fetchFile(url)
      addresses.set(url, dataUrl(mediaType, Buffer.from(data).toString('base64')))
    }),
  )
  return editParts(body, (part) => {
    const url = remoteImage(part)
    return url === undefined
      ? part
      : { ...part, image_url: { ...(part['image_url'] as JsonObject), url: addresses.get(url) } }
  })
}

function remoteImage(part: JsonObject): string | undefined {
  const image = part['image_url']
  const url = isObject(image) ? image['url'] : undefined
  return typeof url === 'string' && /^https?:/i.test(url) ? url : undefined
}

export function editList(body: Body, key: string, edit: Edit): Body {
  const list = body[key]
  if (!Array.isArray(list)) return body
  let isChanged = false
  const edited = list.map((entry: unknown) => {
    if (!isObject(entry)) return entry
    const result = edit(entry)
    if (result !== entry) isChanged = true
    return result
  })
  return isChanged ? { ...body, [key]: edited } : body
}
