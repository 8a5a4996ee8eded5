import { ModelMark } from '#console'
import type { ChartInput } from './chart-spec.ts'

/** Colour and total of each series. A screen reader gets the figures from here, since the chart is a picture. */
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
