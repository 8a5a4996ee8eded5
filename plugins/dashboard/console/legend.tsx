import { ModelMark } from '#console'
import type { ChartInput } from './chart-spec.ts'

/** Colours and totals of the series; the chart itself is a picture. */
export function Legend({ input: { data, nameOf, exactOf } }: { input: ChartInput }) {
  return (
    <ul className="legend">
      {data.series.map(({ model, color, total }) => (
        <li key={model ?? ''} title={nameOf(model)}>
          <span
            className="legend-mark"
            style={{ background: `var(--series-${color === 0 ? 'other' : color})` }}
          />
          {model ? <ModelMark model={model} size="small" /> : null}
          <span className="legend-name">{nameOf(model)}</span>
          <span className="number">{exactOf(total)}</span>
        </li>
      ))}
    </ul>
  )
}
