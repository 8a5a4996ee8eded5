// The groups and tool prices that a new installation starts with; from then on they are options. Models are priced by the
// manifests of their adapters. Public price facts, not advice. Units: defaults/README.md. Makers of models and other gateways are no options.
import groupRatio from './defaults/group-ratios.json' with { type: 'json' }
import makers from './defaults/makers.json' with { type: 'json' }
import otherGateways from './defaults/other-gateways.json' with { type: 'json' }
import toolPrices from './defaults/tool-prices.json' with { type: 'json' }
import topupGroupRatio from './defaults/topup-group-ratios.json' with { type: 'json' }
import userUsableGroups from './defaults/user-usable-groups.json' with { type: 'json' }

type NumberMap = Readonly<Record<string, number>>

export interface Defaults {
  groupRatio: NumberMap
  userUsableGroups: Readonly<Record<string, string>>
  topupGroupRatio: NumberMap
  toolPrices: NumberMap
  /** Makers of models that have no adapter, with the beginnings of their models' names and their mark in the icon set. */
  makers: readonly { name: string; mark?: string; models: readonly string[] }[]
  /** Gateways whose databases can be imported; the first that fits is taken. */
  otherGateways: readonly {
    name: string
    channelColumns: readonly string[]
    tablesOfVariants: readonly string[]
    channelTypes: readonly {
      there: number
      type: number
      baseUrl?: string
      isAddressVersioned?: boolean
      otherIsModelAfter?: string
      dotlessUntil?: number
    }[]
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
  }[]
}

export const defaults: Defaults = {
  groupRatio,
  userUsableGroups,
  topupGroupRatio,
  toolPrices,
  makers,
  otherGateways,
}
