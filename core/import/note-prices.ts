// What calls cost here where the other gateway had no table for it.
import { splitList } from '../contract/comma-list.ts'
import { objectIn } from '../contract/json.ts'
import type { OptionService } from '../contract/options.ts'
import type { PricingService } from '../contract/services.ts'
import type { ImportReport } from './import-report.ts'

interface PriceDeps {
  options: Pick<OptionService, 'get'>
  pricing: Pick<PricingService, 'isPriced' | 'rows'>
  report: ImportReport
}

/** Names the models whose calls are refused for want of a price, and those whose output had a ratio that was no option there.
 *  @param lists the models of each channel that is enabled
 *  @param given the options there */
export function notePrices(
  { options, pricing, report }: PriceDeps,
  lists: readonly string[],
  given: ReadonlyMap<string, string>,
): void {
  const ratios = objectIn(given.get('ModelRatio') ?? '') ?? {}
  const outputs = objectIn(given.get('CompletionRatio') ?? '') ?? {}
  const isSelfUse = options.get<boolean>('SelfUseModeEnabled')
  for (const model of new Set(lists.flatMap((list) => splitList(list)))) {
    if (!pricing.isPriced(model)) {
      if (!isSelfUse)
        report.leaveOut('prices of models', 'calls are refused until one is set', model)
      continue
    }
    if (!Object.hasOwn(ratios, model) || Object.hasOwn(outputs, model)) continue
    const [row] = pricing.rows(new Map([[model, []]]))
    if (row?.['quota_type'] === 0)
      report.leaveOut(
        'ratios of outputs',
        'compare these, which hold now',
        `${model} ${String(row['completion_ratio'])}`,
      )
  }
}
