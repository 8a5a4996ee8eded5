import { objectIn } from '#console'

export type Setting = Record<string, unknown>

/** The `setting` text as an object; undefined when it is not one. */
export function readSetting(text: string | undefined): Setting | undefined {
  return text?.trim() ? objectIn(text) : {}
}

/** Keys that are off or empty are left out; keys of others stay. An empty secret is sent: it is to be cleared. */
export function writeSetting(setting: Setting, secrets: readonly string[] = []): string {
  const kept = Object.entries(setting).filter(
    ([key, value]) =>
      value !== undefined && value !== null && (value !== '' || secrets.includes(key)),
  )
  return kept.length === 0 ? '' : JSON.stringify(Object.fromEntries(kept), undefined, 2)
}
