import { isObject, type JsonObject } from '../../contract/json.ts'

/** What of an object is a list (with the shape of its entries), and which objects hold such lists. */
interface Shape {
  readonly lists: readonly (readonly [name: string, entry: Shape])[]
  readonly objects: readonly (readonly [name: string, shape: Shape])[]
}

const plain: Shape = { lists: [], objects: [] }
const content: Shape = { lists: [['parts', plain]], objects: [] }
const tool: Shape = {
  lists: [
    ['functionDeclarations', plain],
    ['function_declarations', plain],
  ],
  objects: [],
}
const generation: Shape = {
  lists: [
    ['contents', content],
    ['tools', tool],
    ['safetySettings', plain],
    ['safety_settings', plain],
  ],
  objects: [
    ['systemInstruction', content],
    ['system_instruction', content],
  ],
}
const embedding: Shape = { lists: [], objects: [['content', content]] }

/** The bodies of all actions together; no name means two things. */
const body: Shape = {
  lists: [...generation.lists, ['instances', plain], ['requests', embedding]],
  objects: [...generation.objects, ...embedding.objects, ['generateContentRequest', generation]],
}

/** Google takes an object for a list of one, and its own examples send `contents` and `parts` so. Nothing behind this
 *  knows that form. Returns the same object when there is nothing to change. */
export function withGeminiLists(sent: JsonObject): JsonObject {
  return withLists(sent, body)
}

function withLists(sent: JsonObject, shape: Shape): JsonObject {
  const changed: JsonObject = {}
  let isChanged = false
  const keep = (name: string, value: unknown) => {
    if (value === sent[name]) return
    changed[name] = value
    isChanged = true
  }
  for (const [name, entry] of shape.lists) keep(name, listOf(sent[name], entry))
  for (const [name, inner] of shape.objects) {
    const value = sent[name]
    if (isObject(value)) keep(name, withLists(value, inner))
  }
  return isChanged ? { ...sent, ...changed } : sent
}

function listOf(value: unknown, entry: Shape): unknown {
  if (isObject(value)) return [withLists(value, entry)]
  if (!Array.isArray(value) || entry === plain) return value
  const entries = value.map((one: unknown) => (isObject(one) ? withLists(one, entry) : one))
  return entries.some((one, index) => one !== value[index]) ? entries : value
}
