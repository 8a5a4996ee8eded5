/** Safari on a phone asks first, and finds nothing if the file has been given up in the meantime. */
const keptMs = 60_000

/** Saves what the page holds as a file of this name. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  window.setTimeout(() => URL.revokeObjectURL(address), keptMs)
}
