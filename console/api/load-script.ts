const loading = new Map<string, Promise<void>>()

/** Loads a script of another site, once per page; a failed load is retried by the next call. The plugin's `origins.script` must contain its origin.
 *  @throws Error with the address */
export function loadScript(address: string): Promise<void> {
  const before = loading.get(address)
  if (before) return before
  const script = document.createElement('script')
  script.src = address
  script.async = true
  const loaded = new Promise<void>((resolve, reject) => {
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      loading.delete(address)
      script.remove()
      reject(new Error(address))
    })
  })
  loading.set(address, loaded)
  document.head.append(script)
  return loaded
}
