import { byName, Details, Dialog, formatRatio, Loaded, useData, useTexts } from '#console'
import { money, type Rates } from './price.ts'

const callsOfPrice = 1000

/** What searches and other tools cost that providers run: by tool, or by tool and model. */
export function ToolPrices({ rates, onClose }: { rates: Rates; onClose(): void }) {
  const t = useTexts('pricing')
  const prices = useData<Record<string, number>>('/api/pricing/tools')
  return (
    <Dialog title={t('tools.title')} onClose={onClose} className="price-help">
      <p>{t('tools.text', { calls: callsOfPrice, ratio: formatRatio(rates.groupRatio) })}</p>
      <Loaded from={prices}>
        {(byTool) => (
          <Details
            items={Object.entries(byTool)
              .sort(([left], [right]) => byName(left, right))
              .map(([tool, dollars]) => ({
                label: tool,
                value: money(dollars * rates.groupRatio),
              }))}
          />
        )}
      </Loaded>
    </Dialog>
  )
}
