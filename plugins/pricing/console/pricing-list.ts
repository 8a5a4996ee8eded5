import { byName, type List, useList, useOwnGroups, useSession, useStatus } from '#console'
import { fuzzyRank } from './fuzzy.ts'
import { isPerCall, type PricedModel, type Rates } from './price.ts'

const noFilters = { keyword: '', group: '', billing: '' }
export type PricingFilters = typeof noFilters

export interface Group {
  name: string
  ratio: number
  desc: string
}

export interface Pricing {
  list: List<PricedModel, PricingFilters>
  groups: readonly Group[]
  /** The user's group, or that of visitors. */
  ownGroup: string
  /** The group whose prices are shown. */
  group: string
  rates: Rates
}

const visitorGroup = 'default'
const defaultQuotaPerUnit = 500_000

export function usePricing(): Pricing {
  const user = useSession((session) => session.user)
  const status = useStatus()
  const offered = useOwnGroups()
  const groups = Object.entries(offered.data ?? {}).map(([name, group]) => ({ name, ...group }))
  const ownGroup = user?.group ?? visitorGroup
  const list = useList<PricedModel, PricingFilters>('/api/pricing', {
    shape: 'whole',
    filters: noFilters,
    accepts: { billing: ['token', 'call'] },
    toQuery: () => ({}),
    narrow: (rows, filters) => narrowed(rows, filters, filters.group || ownGroup),
  })
  const group = list.filters.group || ownGroup
  const groupRatio = groups.find(({ name }) => name === group)?.ratio ?? 1
  const quotaPerUnit = status?.quota_per_unit || defaultQuotaPerUnit
  const error = list.error ?? offered.error
  return {
    // Without the group's ratio, prices would be wrong.
    list: {
      ...list,
      error,
      isLoading: list.isLoading || offered.isLoading,
      ...(offered.data ? {} : { rows: [] }),
    },
    groups,
    ownGroup,
    group,
    rates: { groupRatio, quotaPerUnit },
  }
}

/** The models that match the search. Without a search, those that the group may use come first, then by name. */
export function narrowed(
  rows: readonly PricedModel[],
  { keyword, billing }: PricingFilters,
  group: string,
): PricedModel[] {
  return rows
    .filter((row) => billing === '' || isPerCall(row) === (billing === 'call'))
    .flatMap((row) => {
      const rank = fuzzyRank(row.model_name, keyword)
      return rank === undefined ? [] : [{ row, rank, isOpen: row.enable_groups.includes(group) }]
    })
    .sort(
      (a, b) =>
        Number(b.isOpen) - Number(a.isOpen) ||
        a.rank - b.rank ||
        byName(a.row.model_name, b.row.model_name),
    )
    .map(({ row }) => row)
}
