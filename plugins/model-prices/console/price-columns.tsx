import { type Column, Label, type Texts } from '#console'
import { dollarsOf, type PriceRow, rounded } from './price-maps.ts'

/** A model without its own completion ratio takes the shipped one, which only the gateway knows: no output price is shown then. */
export function priceColumns(t: Texts, quotaPerUnit: number): Column<PriceRow>[] {
  const money = (dollars: number | undefined) =>
    dollars === undefined ? <span className="muted">–</span> : `$${dollars}`
  const input = ({ price, ratio }: PriceRow) =>
    price !== undefined || ratio === undefined ? undefined : dollarsOf(ratio, quotaPerUnit)
  const output = (row: PriceRow) => {
    const dollars = input(row)
    const factor = row.completionRatio
    return dollars === undefined || factor === undefined ? undefined : rounded(dollars * factor)
  }
  const number = (render: (row: PriceRow) => number | undefined) => ({
    align: 'right' as const,
    render: (row: PriceRow) => <span className="number">{money(render(row))}</span>,
  })
  return [
    {
      id: 'name',
      title: t('column.name'),
      isTitle: true,
      render: ({ name }) => <code>{name}</code>,
    },
    {
      id: 'mode',
      title: t('column.mode'),
      render: ({ price }) => <Label>{t(price === undefined ? 'mode.token' : 'mode.call')}</Label>,
    },
    { id: 'price', title: t('column.price'), ...number(({ price }) => price) },
    { id: 'input', title: t('column.input'), ...number(input) },
    { id: 'output', title: t('column.output'), ...number(output) },
    {
      id: 'ratio',
      title: t('column.ratio'),
      align: 'right',
      isOptional: true,
      render: ({ ratio }) => <span className="number">{ratio ?? '–'}</span>,
    },
    {
      id: 'completionRatio',
      title: t('column.completionRatio'),
      align: 'right',
      isOptional: true,
      render: ({ completionRatio }) => <span className="number">{completionRatio ?? '–'}</span>,
    },
  ]
}
