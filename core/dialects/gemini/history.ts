// Prepares a passed-through conversation for Gemini if other providers have written parts of it.
import { isObject, type JsonObject } from '../../contract/json.ts'
import { geminiVersion } from '../neutral/model-families.ts'
import { NO_SIGNATURE } from './build-contents.ts'

/** Gemini 3 refuses a step whose first call has no signature, and calls of other providers never had one: these get the
 *  value that Google documents for it. Returns the same object if nothing changes. */
export function mendHistory(body: JsonObject, model: string): JsonObject {
  if ((geminiVersion(model) ?? 0) < 3) return body
  return withCalls(body, (part) => (hasSignature(part) ? part : unsigned(part)))
}

/** Removes the signatures of all parts, for an upstream that refused one. */
export function forgetThoughts(body: JsonObject): JsonObject {
  return withCalls(body, unsigned, bare)
}

function hasSignature(part: JsonObject): boolean {
  return Boolean(part.thoughtSignature ?? part.thought_signature)
}

function bare(part: JsonObject): JsonObject {
  if (!hasSignature(part)) return part
  const { thoughtSignature: _camel, thought_signature: _snake, ...rest } = part
  return rest
}

function unsigned(part: JsonObject): JsonObject {
  return { ...bare(part), thoughtSignature: NO_SIGNATURE }
}

/** Edits the first call of each step, and all other parts with `others`. Model turns without a user turn in between are one step. */
function withCalls(
  body: JsonObject,
  first: (part: JsonObject) => JsonObject,
  others: (part: JsonObject) => JsonObject = (part) => part,
): JsonObject {
  if (!Array.isArray(body.contents)) return body
  let isChanged = false
  let isInStep = false
  const contents = (body.contents as unknown[]).map((content) => {
    const isModel = isObject(content) && content.role === 'model'
    if (!isModel) isInStep = false
    if (!isModel || !Array.isArray(content.parts)) return content
    const given = content.parts as unknown[]
    const parts = given.map((part) => {
      if (!isObject(part)) return part
      const isFirst = !isInStep && Boolean(part.functionCall ?? part.function_call)
      isInStep ||= isFirst
      return isFirst ? first(part) : others(part)
    })
    if (parts.every((part, index) => part === given[index])) return content
    isChanged = true
    return { ...content, parts }
  })
  return isChanged ? { ...body, contents } : body
}
