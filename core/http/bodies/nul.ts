import { fieldInvalid } from '../validation.ts'

export const noNul = { en: 'must not hold a NUL character', zh: '不能包含 NUL 字符' }

/** Refuses NUL characters: SQL text ends at a NUL, and PostgreSQL cannot store one.
 *  @throws request.invalid_field */
export function refuseNul(value: unknown, part: string): void {
  const field = fieldWithNul(value, '')
  if (field !== undefined)
    throw fieldInvalid({ field: field || part, reason: noNul }, { field: field || part })
}

/** Checks keys too, since many of them are stored. */
function fieldWithNul(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? path : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    if (key.includes('\0')) return path
    const found = fieldWithNul(inner, path === '' ? key : `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}
