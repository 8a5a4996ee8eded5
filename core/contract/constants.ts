// The numbers that rows and the wire carry, each under its name.

export const role = { user: 1, admin: 10, root: 100 } as const

export const userStatus = { active: 1, disabled: 2, locked: 3 } as const

export const tokenStatus = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const

export const channelStatus = { enabled: 1, disabledByHand: 2, disabledAutomatically: 3 } as const

/** What a channel becomes without an admin. */
export type AutomaticStatus = (typeof channelStatus)['enabled' | 'disabledAutomatically']

export const logType = { topup: 1, consume: 2, manage: 3, system: 4, error: 5 } as const

/** Characters that a new password may have. */
export const passwordLength = { min: 8, max: 128 } as const

/** Characters that a username and a display name may have. */
export const nameLength = { max: 64 } as const

/** Of plugins and adapters. Two of them never begin alike once the names of their tables are made of them. */
export const pluginIdForm = { pattern: /^[a-z0-9]+(?:-[a-z0-9]+)*$/, max: 64 } as const

/** Stands in place of a token's name in rows of channel tests: nobody paid them. */
export const CHANNEL_TEST = 'channel test'
