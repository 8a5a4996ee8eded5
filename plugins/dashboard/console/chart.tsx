// The chart library, in a chunk of its own.
import { registerBarChart } from '@visactor/vchart/esm/chart/bar'
import { registerPieChart } from '@visactor/vchart/esm/chart/pie'
import { registerCartesianBandAxis } from '@visactor/vchart/esm/component/axis/cartesian/band-axis'
import { registerCartesianLinearAxis } from '@visactor/vchart/esm/component/axis/cartesian/linear-axis'
import { registerCartesianCrossHair } from '@visactor/vchart/esm/component/crosshair'
import { registerTooltip } from '@visactor/vchart/esm/component/tooltip'
import { VChart } from '@visactor/vchart/esm/core'
import { registerDomTooltipHandler } from '@visactor/vchart/esm/plugin/components/tooltip-handler'
import type { ISpec } from '@visactor/vchart/esm/typings/spec'
import { arcoDesignDark, arcoDesignLight } from '@visactor/vchart-arco-theme'
import { useEffect, useRef } from 'react'
import { usePreferences } from '#console'
import { chartSpec, type ChartInput } from './chart-spec.ts'

// Registers only what is drawn here: the whole library would be twice as large.
VChart.useRegisters([
  registerBarChart,
  registerPieChart,
  registerCartesianBandAxis,
  registerCartesianLinearAxis,
  registerCartesianCrossHair,
  registerTooltip,
  registerDomTooltipHandler,
])

export default function Chart({ input, label }: { input: ChartInput; label: string }) {
  const box = useRef<HTMLDivElement>(null)
  const theme = usePreferences((preferences) => preferences.theme)
  useEffect(() => {
    let chart: VChart | undefined
    const draw = (look: keyof typeof looks) => {
      const dom = box.current
      if (!dom) return
      chart?.release()
      const spec = chartSpec(input, colorOf) as ISpec
      chart = new VChart(
        { ...spec, theme: looks[look], background: 'transparent' },
        { dom, animation: false },
      )
      chart.renderSync()
    }
    // The page has the colours of the new theme only after all subscribers of the change have run.
    const frame = requestAnimationFrame(() => draw(theme))
    // On paper the page is light.
    const print = () => draw('light')
    const goOn = () => draw(theme)
    if (theme === 'dark') {
      window.addEventListener('beforeprint', print)
      window.addEventListener('afterprint', goOn)
    }
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('beforeprint', print)
      window.removeEventListener('afterprint', goOn)
      chart?.release()
    }
  }, [input, theme])
  return <div className="chart" ref={box} role="img" aria-label={label} />
}

const looks = { dark: arcoDesignDark, light: arcoDesignLight } as const

function colorOf(name: string): string {
  return getComputedStyle(document.body).getPropertyValue(name).trim()
}
