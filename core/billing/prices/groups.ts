import { byName } from '../../contract/natural-order.ts'

type GroupRatios = ReadonlyMap<string, number>

/** Group names as lists show them: `default` first, then by name. */
export function groupNamesOf(ratios: GroupRatios): string[] {
  return [...ratios.keys()].sort(byDefaultFirst)
}

/** The groups that a user may choose: those offered to everybody and the user's own one, if they have a ratio. A
 *  visitor has no group and sees `default`. */
export function usableGroupsOf(
  ratios: GroupRatios,
  offered: Readonly<Record<string, string>>,
  userGroup: string | undefined,
): { name: string; ratio: number; desc: string }[] {
  const descriptions = new Map(Object.entries(offered))
  const own = userGroup === undefined || userGroup === '' ? 'default' : userGroup
  if (!descriptions.has(own)) descriptions.set(own, 'User group')
  return [...descriptions]
    .flatMap(([name, desc]) => {
      const ratio = ratios.get(name)
      return ratio === undefined ? [] : [{ name, ratio, desc }]
    })
    .sort((left, right) => byDefaultFirst(left.name, right.name))
}

function byDefaultFirst(left: string, right: string): number {
  if (left === right) return 0
  if (left === 'default') return -1
  if (right === 'default') return 1
  return byName(left, right)
}
