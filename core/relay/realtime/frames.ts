import { isObject, type JsonObject } from '../../contract/json.ts'
import { parseLoosely } from '../../wire/parse-loosely.ts'

export type Frame = string | Uint8Array

/** A frame's text. Some services send their JSON in binary frames. */
export function textOf(frame: Frame): string {
  return typeof frame === 'string'
    ? frame
    : Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength).toString('utf8')
}

export function parseFrame(frame: Frame): JsonObject | undefined {
  const value = parseLoosely(textOf(frame))
  return isObject(value) ? value : undefined
}

/** Undefined after that time. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
