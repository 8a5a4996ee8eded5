// The numbers that rows and the wire carry, each under its name.

export const role = { user: 1, admin: 10, root: 100 } as const

export const userStatus = { active: 1, disabled: 2, locked: 3 } as const

export const tokenStatus = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const

export const channelStatus = { enabled: 1, disabledByHand: 2, disabledAutomatically: 3 } as const

/** Status that a channel gets automatically. */
export type AutomaticStatus = (typeof channelStatus)['enabled' | 'disabledAutomatically']

export const logType = { topup: 1, consume: 2, manage: 3, system: 4, error: 5 } as const

/** Length of a new password, in characters. */
export const passwordLength = { min: 8, max: 128 } as const

/** Length of a username and a display name, in characters. */
export const nameLength = { max: 64 } as const

/** Form of the ids of plugins and adapters. It ensures that no table prefix is the beginning of another. */
export const pluginIdForm = { pattern: /^[a-z0-9]+(?:-[a-z0-9]+)*$/, max: 64 } as const

/** Replaces the token's name in log rows of channel tests, which nobody pays. */
export const CHANNEL_TEST = 'channel test'
