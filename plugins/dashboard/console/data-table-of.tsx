import { TableScroll, useTexts } from '#console'
import type { ChartInput } from './chart-spec.ts'

/** The figures of the chart as a table, without the steps in which there were none. */
export function DataTableOf({ input }: { input: ChartInput }) {
  const t = useTexts('dashboard')
  const { data, labels, nameOf, exactOf } = input
  const lines = labels
    .map((label, at) => ({ label, values: data.series.map(({ values }) => values[at] ?? 0) }))
    .filter(({ values }) => values.some((value) => value !== 0))
  return (
    <TableScroll label={t('data')} className="dashboard-table dashboard-data">
      <table aria-label={t('data')}>
        <thead>
          <tr>
            <th scope="col">{t('time')}</th>
            {data.series.map(({ model }) => (
              <th key={model ?? ''} scope="col" className="align-right">
                {nameOf(model)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ label, values }) => (
            <tr key={label}>
              <th scope="row" className="number">
                {label}
              </th>
              {values.map((value, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- a column's place is its name
                <td key={at} className="align-right number">
                  {value === 0 ? '–' : exactOf(value)}
                </td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">{t('sum')}</th>
            {data.series.map(({ model, total }) => (
              <td key={model ?? ''} className="align-right number">
                {exactOf(total)}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </TableScroll>
  )
}
