import type { OptionReader } from '#core'

/** The drawing options, with what they are where nobody has set them. */
const defaults = {
  MjNotifyEnabled: false,
  MjAccountFilterEnabled: false,
  MjForwardUrlEnabled: true,
  MjModeClearEnabled: false,
  MjActionCheckSuccessEnabled: true,
}

/** The drawing plugin declares them; while it is off, a stored value comes as the text that it is stored as. */
export function isOn(options: OptionReader, key: keyof typeof defaults): boolean {
  const value = options.get(key)
  if (typeof value === 'boolean') return value
  return typeof value === 'string' && value !== '' ? value === 'true' : defaults[key]
}
