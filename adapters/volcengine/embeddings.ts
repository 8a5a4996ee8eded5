import { isObject, type AttemptContext, type Body } from '#core'

/** The vision embedders have a path, an input list and an answer of their own. Source: volcengine.com/docs/82379/1523520. */
export function isMultimodal(model: string): boolean {
  return model.includes('embedding-vision')
}

export function toEmbeddings(body: Body, { model }: AttemptContext): Body {
  const list = Array.isArray(body.input) ? (body.input as unknown[]) : [body.input]
  if (isMultimodal(model)) return { ...body, input: list.map(toPart) }
  return list === body.input ? body : { ...body, input: list }
}

function toPart(item: unknown): unknown {
  return typeof item === 'string' ? { type: 'text', text: item } : item
}

/** The answer has one vector for the whole input, which is not in a list. */
export function fromEmbeddings(body: Body): Body {
  if (!isObject(body.data)) return body
  return { ...body, object: 'list', data: [{ object: 'embedding', index: 0, ...body.data }] }
}
