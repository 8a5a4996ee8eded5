import { formatPercent } from '#console'
import type { ChartData } from './series.ts'
import type { Kind } from './view.ts'

export interface ChartInput {
  kind: Kind
  data: ChartData
  /** Labels of the steps of time. */
  labels: readonly string[]
  nameOf(model: string | undefined): string
  /** The short form, for the axis. */
  shortOf(value: number): string
  /** The exact form, for the tooltip. */
  exactOf(value: number): string
}

type Point = { time: string; model: string; value: number }

/** Builds the specification for the chart library.
 *  @param colorOf returns the value of a colour in tokens.css */
export function chartSpec(input: ChartInput, colorOf: (name: string) => string): object {
  const { data, nameOf } = input
  const color = {
    type: 'ordinal',
    domain: data.series.map(({ model }) => nameOf(model)),
    range: data.series.map(({ color: number }) =>
      colorOf(number === 0 ? '--series-other' : `--series-${number}`),
    ),
  }
  const common = { color, padding: 4, legends: { visible: false }, animation: false }
  if (input.kind === 'share') return { ...common, ...shareSpec(input) }
  if (input.kind === 'rank') return { ...common, ...rankSpec(input, colorOf) }
  return { ...common, ...timeSpec(input, colorOf) }
}

function timeSpec({ data, labels, nameOf, shortOf, exactOf }: ChartInput, colorOf: ColorOf) {
  const values: Point[] = data.series.flatMap(({ model, values: all }) =>
    all.map((value, at) => ({ time: labels[at] ?? '', model: nameOf(model), value })),
  )
  return {
    type: 'bar',
    stack: true,
    data: [{ id: 'data', values }],
    xField: 'time',
    yField: 'value',
    seriesField: 'model',
    axes: [valueAxis('left', shortOf, colorOf), nameAxis('bottom', colorOf)],
    bar: { style: { maxWidth: 48 } },
    tooltip: {
      mark: { visible: false },
      dimension: {
        content: { key: modelOf, value: (point: Point) => exactOf(point.value) },
        updateContent: (lines: { datum?: Point }[]) =>
          lines.filter(({ datum }) => (datum?.value ?? 0) > 0),
      },
    },
  }
}

function shareSpec({ data, nameOf, exactOf }: ChartInput) {
  const total = data.series.reduce((sum, series) => sum + series.total, 0) || 1
  const values = data.series.map((series) => ({ model: nameOf(series.model), value: series.total }))
  const text = ({ value }: { value: number }) =>
    `${exactOf(value)} (${formatPercent(value / total)})`
  return {
    type: 'pie',
    data: [{ id: 'data', values }],
    valueField: 'value',
    categoryField: 'model',
    innerRadius: 0.6,
    outerRadius: 0.9,
    tooltip: { mark: { content: { key: modelOf, value: text } } },
  }
}

function rankSpec({ data, nameOf, shortOf, exactOf }: ChartInput, colorOf: ColorOf) {
  const values = data.series.map(({ model, total }) => ({ model: nameOf(model), value: total }))
  return {
    type: 'bar',
    direction: 'horizontal',
    data: [{ id: 'data', values }],
    xField: 'value',
    yField: 'model',
    seriesField: 'model',
    axes: [
      {
        ...nameAxis('left', colorOf),
        label: { visible: true, style: { ...ink(colorOf), maxLineWidth: 160 } },
      },
      valueAxis('bottom', shortOf, colorOf),
    ],
    bar: { style: { maxHeight: 32 } },
    tooltip: {
      mark: { content: { key: modelOf, value: ({ value }: { value: number }) => exactOf(value) } },
      dimension: { visible: false },
    },
  }
}

type ColorOf = (name: string) => string

const modelOf = ({ model }: { model: string }) => model
const ink = (colorOf: ColorOf) => ({ fill: colorOf('--ink-quiet'), fontSize: 12 })

function valueAxis(
  orient: 'left' | 'bottom',
  shortOf: (value: number) => string,
  colorOf: ColorOf,
) {
  return {
    orient,
    type: 'linear',
    label: { formatMethod: (value: number) => shortOf(value), style: ink(colorOf) },
    grid: { style: { stroke: colorOf('--line') } },
  }
}

function nameAxis(orient: 'left' | 'bottom', colorOf: ColorOf) {
  return {
    orient,
    type: 'band',
    sampling: true,
    label: { autoHide: true, autoLimit: true, style: ink(colorOf) },
  }
}
