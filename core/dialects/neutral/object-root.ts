// OpenAI and Anthropic accept only schemas whose root is one object. Gemini accepts any, and its clients ask for lists and single words.
import type { AnswerHints } from '../../contract/dialect.ts'
import type { ChatRequest, ResponseFormat, ToolDeclaration } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { WRAPPED } from './answer-unwrapper.ts'
import { unsupportedParameter } from './request-errors.ts'

const UNIONS = ['anyOf', 'oneOf', 'allOf'] as const
const DEFINITIONS = ['$defs', 'definitions'] as const
const MOST_STEPS = 16

/** Makes the structured answer an object: any other root becomes its property `value`, which is taken out again in the answer. */
export function withObjectRoot(request: ChatRequest, hints: AnswerHints | undefined): ChatRequest {
  const format = request.responseFormat
  if (format?.type !== 'schema') return request
  const root = resolvedRoot(format.schema)
  if (isObjectSchema(root)) {
    return root === format.schema ? request : withSchema(request, format, typed(root))
  }
  // The answer will not be unwrapped.
  if (hints === undefined) return request
  hints.wrapped = { isPlain: format.plain === true }
  return withSchema(request, format, wrapped(root))
}

function withSchema(
  request: ChatRequest,
  format: Extract<ResponseFormat, { type: 'schema' }>,
  schema: JsonObject,
): ChatRequest {
  return { ...request, responseFormat: { ...format, schema } }
}

/** Makes the arguments of a tool one object.
 *  @throws request.unsupported_parameter for arguments that cannot be one */
export function withObjectParameters(tool: ToolDeclaration): ToolDeclaration {
  return tool.parameters === undefined
    ? tool
    : { ...tool, parameters: objectParameters(tool.name, tool.parameters) }
}

function objectParameters(name: string, parameters: JsonObject): JsonObject {
  const root = resolvedRoot(parameters)
  const types: unknown[] = Array.isArray(root.type) ? root.type : [root.type]
  if (!types.includes('object') && root.type !== undefined) {
    throw unsupportedParameter(`tools.${name}`, 'the arguments of a tool must be an object')
  }
  if (UNIONS.some((key) => Array.isArray(root[key]))) return mergedUnion(root)
  return root.type === 'object' ? root : typed(root)
}

/** If the root only refers to a definition, the definition. */
function resolvedRoot(schema: JsonObject): JsonObject {
  let root = schema
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const found = definitionOf(root.$ref, schema)
    if (found === undefined) break
    const { $ref: _ref, ...beside } = root
    root = { ...found, ...beside }
  }
  return root
}

function definitionOf(ref: unknown, schema: JsonObject): JsonObject | undefined {
  const match = typeof ref === 'string' ? /^#\/(\$defs|definitions)\/([^/]+)$/.exec(ref) : null
  const group = match === null ? undefined : schema[match[1] ?? '']
  const name = decodeName(match?.[2] ?? '')
  const found = isObject(group) && Object.hasOwn(group, name) ? group[name] : undefined
  return isObject(found) ? found : undefined
}

function decodeName(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~')
}

function isObjectSchema(schema: JsonObject): boolean {
  const isTyped =
    schema.type === 'object' || (schema.type === undefined && isObject(schema.properties))
  return isTyped && UNIONS.every((key) => schema[key] === undefined)
}

function typed(schema: JsonObject): JsonObject {
  return { ...schema, type: 'object' }
}

function wrapped(schema: JsonObject): JsonObject {
  const value: JsonObject = { ...schema }
  const hoisted: JsonObject = {}
  for (const key of DEFINITIONS) {
    if (!isObject(value[key])) continue
    hoisted[key] = value[key]
    delete value[key]
  }
  return {
    type: 'object',
    properties: { [WRAPPED]: value },
    required: [WRAPPED],
    additionalProperties: false,
    ...hoisted,
    ...(refersToRoot(schema)
      ? (moved({ properties: { [WRAPPED]: value }, ...hoisted }) as JsonObject)
      : {}),
  }
}

/** Adjusts references to the root after it was moved; definitions keep their place. */
function moved(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(moved)
  if (!isObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, inner]) => [
      key,
      key === '$ref' && isOfRoot(inner) ? `#/properties/${WRAPPED}${inner.slice(1)}` : moved(inner),
    ]),
  )
}

function isOfRoot(ref: unknown): ref is string {
  return typeof ref === 'string' && /^#(?:$|\/(?!\$defs\/|definitions\/))/.test(ref)
}

function refersToRoot(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(refersToRoot)
  if (!isObject(schema)) return false
  return Object.entries(schema).some(([key, inner]) =>
    key === '$ref' ? isOfRoot(inner) : refersToRoot(inner),
  )
}

/** The properties of all alternatives. Required are those that each alternative requires, or that all conditions require together. */
function mergedUnion(root: JsonObject): JsonObject {
  const { anyOf, oneOf, allOf, ...rest } = root
  const choices = [anyOf, oneOf].filter(Array.isArray).map((list) => objectsIn(list, root))
  const demands = Array.isArray(allOf) ? objectsIn(allOf, root) : []
  const all = [rest, ...choices.flat(), ...demands]
  const properties = Object.assign({}, ...all.map(propertiesOf).toReversed()) as JsonObject
  const required = new Set([rest, ...demands].flatMap(requiredOf))
  for (const options of choices) {
    const [first, ...others] = options.map(requiredOf)
    for (const name of first ?? []) {
      if (others.every((names) => names.includes(name))) required.add(name)
    }
  }
  const { additionalProperties: _closed, ...open } = rest
  return {
    ...open,
    type: 'object',
    properties,
    ...(required.size === 0 ? {} : { required: [...required] }),
  }
}

function objectsIn(list: unknown[], root: JsonObject): JsonObject[] {
  return list
    .filter(isObject)
    .map((entry) => definitionOf(entry.$ref, root) ?? entry)
    .filter(({ type }) => type === undefined || type === 'object')
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {}
}

function requiredOf({ required }: JsonObject): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}
