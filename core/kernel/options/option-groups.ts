// Options by those who declare them.
import type { TSchema } from '@sinclair/typebox'
import type { OptionDefinitions } from '../../contract/options.ts'
import type { Definition } from './option-check.ts'

export interface OwnedOptions {
  owner: string
  definitions: OptionDefinitions
}

/** What one owner declares, as the settings page draws it. */
export interface OptionGroup {
  owner: string
  schema: { type: 'object'; properties: Record<string, TSchema> }
}

/** By key. @throws when two have one key */
export function definitionsOf(groups: readonly OwnedOptions[]): Map<string, Definition> {
  const byKey = new Map<string, Definition>()
  for (const { owner, definitions } of groups) {
    for (const [key, schema] of Object.entries(definitions.schema.properties)) {
      const other = byKey.get(key)
      if (other) throw new Error(`Option ${key} is declared by ${other.owner} and by ${owner}`)
      byKey.set(key, { schema, owner, group: definitions })
    }
  }
  return byKey
}

export function groupsOf(
  keys: readonly string[],
  definitions: ReadonlyMap<string, Definition>,
): OptionGroup[] {
  const groups = new Map<string, OptionGroup>()
  for (const key of keys) {
    const { owner, schema } = definitions.get(key) as Definition
    const group = groups.get(owner) ?? { owner, schema: { type: 'object', properties: {} } }
    group.schema.properties[key] = schema
    groups.set(owner, group)
  }
  return [...groups.values()]
}
