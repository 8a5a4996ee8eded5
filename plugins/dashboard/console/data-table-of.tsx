import { useTexts } from '#console'
import type { ChartInput } from './chart-spec.ts'

/** What the chart shows, as a table; steps in which nothing happened are left out. */
export function DataTableOf({ input }: { input: ChartInput }) {
  const t = useTexts('dashboard')
  const { data, labels, nameOf, exactOf } = input
  const lines = labels
    .map((label, at) => ({ label, values: data.series.map(({ values }) => values[at] ?? 0) }))
    .filter(({ values }) => values.some((value) => value !== 0))
  return (
    <div
      className="table-scroll dashboard-table dashboard-data"
      role="region"
      aria-label={t('data')}
      tabIndex={0}
    >
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
    </div>
  )
}
