import { type Column, formatDollars, Label, ModelName, type Texts } from '#console'
import { dollarsOf, type PriceRow, rounded } from './price-maps.ts'

/** A model without its own completion ratio takes the shipped one, which only the gateway knows: no output price is shown then. */
export function priceColumns(t: Texts, quotaPerUnit: number): Column<PriceRow>[] {
  const input = ({ price, ratio }: PriceRow) =>
    price !== undefined || ratio === undefined ? undefined : dollarsOf(ratio, quotaPerUnit)
  const output = (row: PriceRow) => {
    const dollars = input(row)
    const factor = row.completionRatio
    return dollars === undefined || factor === undefined ? undefined : rounded(dollars * factor)
  }
  const number = (render: (row: PriceRow) => number | undefined) => ({
    align: 'right' as const,
    card: 'fact' as const,
    render: (row: PriceRow) => {
      const dollars = render(row)
      return dollars === undefined ? null : alignedDollars(dollars)
    },
  })
  return [
    {
      id: 'name',
      title: t('column.name'),
      isTitle: true,
      render: ({ name }) => <ModelName name={name} />,
    },
    {
      id: 'mode',
      title: t('column.mode'),
      card: 'status',
      render: ({ price, steps = [] }) => (
        <span className="labels labels-line">
          <Label>{t(price === undefined ? 'mode.token' : 'mode.call')}</Label>
          {price === undefined && steps.length > 0 ? (
            <Label>{t('mode.steps', { count: steps.length })}</Label>
          ) : null}
        </span>
      ),
    },
    { id: 'price', title: t('column.price'), ...number(({ price }) => price) },
    { id: 'input', title: t('column.input'), ...number(input) },
    { id: 'output', title: t('column.output'), ...number(output) },
    {
      id: 'ratio',
      title: t('column.ratio'),
      align: 'right',
      isOptional: true,
      render: ({ ratio }) => <span className="number">{ratio}</span>,
    },
    {
      id: 'completionRatio',
      title: t('column.completionRatio'),
      align: 'right',
      isOptional: true,
      render: ({ completionRatio }) => <span className="number">{completionRatio}</span>,
    },
  ]
}

/** Aligned on the point, with room for six decimals. What is finer is rounded; the drawer has it exactly. */
function alignedDollars(dollars: number) {
  const shown = formatDollars(dollars, 1)
  const [, decimals] = shown.split('.')
  const rest = decimals === undefined ? '.000000' : '000000'.slice(decimals.length)
  return (
    <span className="number" title={`$${dollars}`} data-rest={rest}>
      {shown}
    </span>
  )
}
