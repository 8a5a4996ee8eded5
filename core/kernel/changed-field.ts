/** The first field that has changed since a page read it; undefined if none has. Whoever edits a record on a page must not undo what
 *  others have changed in the meantime.
 *  @param shown the fields as the page had read them; anything but text, numbers and booleans is ignored
 *  @param current the value of today as text; undefined for fields that are not compared */
export function changedField(
  shown: Readonly<Record<string, unknown>>,
  current: (field: string) => string | undefined,
): string | undefined {
  return Object.keys(shown).find((field) => {
    const seen = shown[field]
    if (!['string', 'number', 'boolean'].includes(typeof seen)) return false
    const now = current(field)
    return now !== undefined && now !== String(seen)
  })
}
