// Local storage holds the raw values that the product's other consoles read too; a browser may refuse it altogether.

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
    // Private windows and full disks: the page works on, it only forgets.
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
