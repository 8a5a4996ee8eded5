// The forms in which a plugin's name appears in its files.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export interface NameForms {
  /** `my-guard`: folder, id and addresses. */
  id: string
  /** `my_guard`: tables and error codes. */
  snake: string
  /** `MyGuard`: keys of options. */
  pascal: string
  /** `My guard`: shown to people. */
  title: string
}

const reserved: ReadonlySet<string> = new Set(['core', 'console', 'tollgate', 'node-modules'])

/** Why a plugin cannot have this name; undefined if it can. */
export function nameFault(name: string, root: string): string | undefined {
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(name) || /--|-$/.test(name))
    return `"${name.slice(0, 80)}" cannot be a name: begin with a letter, then lower-case letters, digits and single hyphens, up to 40, such as my-guard.`
  if (reserved.has(name)) return `"${name}" is a name of the gateway itself: choose another.`
  const taken = ['plugins', 'adapters'].find((room) => existsSync(join(root, room, name)))
  if (taken) return `"${name}" comes with the gateway (${taken}/${name}): choose another.`
  return undefined
}

export function formsOf(id: string): NameForms {
  const words = id.split('-')
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
  return {
    id,
    snake: words.join('_'),
    pascal: words.map(capital).join(''),
    title: capital(words.join(' ')),
  }
}

/** Replaces the template's name `acme` in a text. */
export function renamed(text: string, { id, snake, pascal, title }: NameForms): string {
  return text
    .replaceAll('ACME_', `${snake.toUpperCase()}_`)
    .replaceAll('acme_', `${snake}_`)
    .replaceAll(/Acme(?=[A-Z])/g, pascal)
    .replaceAll('Acme', title)
    .replaceAll('acme', id)
    .replaceAll('100000', String(channelTypeOf(id)))
}

const FIRST_TYPE = 100_000
const TYPES = 900_000

/** Derives a channel type from the name (FNV-1a), so that two authors hardly ever choose the same. */
function channelTypeOf(id: string): number {
  let hash = 0x811c9dc5
  for (const letter of id) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return FIRST_TYPE + (hash % TYPES)
}
