/** `../../plugins/<id>/…` becomes `<id>`, the plugin's namespace. */
export function byPlugin<T>(files: Record<string, T>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(files).map(([path, file]) => [/plugins\/([^/]+)\//.exec(path)?.[1] ?? '', file]),
  )
}
