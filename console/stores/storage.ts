// Local storage with raw values, because other consoles for this API read them, too. Browsers may block it entirely.

export function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** `undefined` removes the key. */
export function writeStored(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // In private windows and on full disks nothing is stored, but the page keeps working.
  }
}

export function readStoredJson<T>(key: string): T | undefined {
  const text = readStored(key)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as T
  } catch {
    return undefined
  }
}
