import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { ChartData } from './chartData.ts'
import { readColours } from './plotColours.ts'
import { plotOptions } from './plotOptions.ts'

/** Draws the chart on a canvas, again with each change of the laps, the theme and the fonts. */
export function Plot({ data }: { data: ChartData }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const { times, numbers } = data
    const [own = [], ...compared] = times
    const draw = () =>
      new uPlot(
        plotOptions({
          data,
          colours: readColours(element),
          size: { width: element.clientWidth, height: element.clientHeight },
        }),
        [numbers, ...compared, own],
        element,
      )
    let plot = draw()
    const redraw = () => {
      plot.destroy()
      plot = draw()
    }
    const resized = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: element.clientHeight }),
    )
    resized.observe(element)
    const theme = matchMedia('(prefers-color-scheme: dark)')
    theme.addEventListener('change', redraw)
    document.fonts.addEventListener('loadingdone', redraw)
    return () => {
      resized.disconnect()
      theme.removeEventListener('change', redraw)
      document.fonts.removeEventListener('loadingdone', redraw)
      plot.destroy()
    }
  }, [data])
  return <div ref={place} style={{ height: '100%' }} />
}
