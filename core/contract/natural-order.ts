const collator = new Intl.Collator('en', { numeric: true })

/** The order in which people look for a name: `team-2` before `team-10`, `Beta` beside `beta`. */
export function byName(left: string, right: string): number {
  return collator.compare(left, right)
}
