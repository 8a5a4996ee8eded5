import type { OldDatabase } from './old-database.ts'

/** How the databases of another gateway differ from ours (config/defaults/README.md). */
export interface Family {
  name: string
  channelColumns: readonly string[]
  tablesOfVariants: readonly string[]
  channelTypes: readonly (TypeHere & { there: number })[]
  typesWithoutEqual: readonly number[]
  highestType: number
  loginNames: readonly string[]
  deletedStatus: number
  logTypes: Readonly<Record<string, number>>
  optionNames: readonly { there: string; here: string }[]
  addedTables: readonly string[]
  addresses: readonly { there: string; here: string }[]
  settingsInKeys: readonly string[]
  configKey: string
  configOther: readonly string[]
}

export interface TypeHere {
  type: number
  /** Where calls go if the channel names no address. */
  baseUrl?: string
  /** The path of a call follows the address without its version. */
  isAddressVersioned?: boolean
  /** The model's name without this beginning is the channel's `other` here. */
  otherIsModelAfter?: string
  /** Channels made before this second left dots out of the names of models. */
  dotlessUntil?: number
}

/** The first family that fits.
 *  @throws Error with a sentence for the operator */
export function familyOf({ tables }: OldDatabase, families: readonly Family[]): Family {
  if (tables.has('ledger_entries'))
    throw new Error(
      'the source is a database of this gateway: "tollgate database copy" moves one to PostgreSQL; nothing was imported',
    )
  const [users, channels] = [tables.get('users'), tables.get('channels')]
  const isKnown = users?.has('aff_code') && users.has('quota') && channels?.has('model_mapping')
  const family = families.find(({ channelColumns }) =>
    channelColumns.every((column) => channels?.has(column)),
  )
  const foreign = family?.tablesOfVariants.find((table) => tables.has(table))
  if (foreign !== undefined)
    throw new Error(
      `the source is of a variant of ${family?.name} (it has a table ${foreign}), where numbers of channel types mean other providers, which would be sent keys that are not theirs; nothing was imported`,
    )
  if (isKnown && tables.has('tokens') && family) return family
  const names = families.map(({ name }) => name).join(' or ')
  throw new Error(`the source has not the tables of ${names}; nothing was imported`)
}

/** The type here; undefined if there is none that is the same. */
export function typeHere(
  { channelTypes, typesWithoutEqual, highestType }: Family,
  type: number,
): TypeHere | undefined {
  if (typesWithoutEqual.includes(type) || type > highestType) return undefined
  return channelTypes.find(({ there }) => there === type) ?? { type }
}
