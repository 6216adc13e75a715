import type uPlot from 'uplot'
import { minutesAndSeconds } from '#web/ui/ages.ts'
import { bandName, type ChartData } from './chartData.ts'
import { comparedDashes, type PlotColours } from './plotColours.ts'

interface ChartParts {
  data: ChartData
  colours: PlotColours
  size: { width: number; height: number }
}

/** Steps between the lines of the time axis, in seconds. */
const timeStepsS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600]
/** Steps between lap numbers. */
const lapSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500]
const labelPx = 13
/** Space above the curves for the labels of the bands, and at the right end. */
const topPx = 28
const rightPx = 14

/** Returns the options of uPlot. The shown session is the last line, and so on top. */
export function plotOptions({ data, colours, size }: ChartParts): uPlot.Options {
  const { numbers, times, fastestS, slowestS } = data
  const marginS = (slowestS - fastestS) * 0.08
  const font = `560 ${labelPx}px ${colours.font}`
  const axis = { stroke: colours.label, font, ticks: { show: false } }
  return {
    ...size,
    padding: [topPx, rightPx, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: [0.5, numbers.length + 0.5] },
      // A shorter time is higher.
      y: { dir: -1, range: [fastestS - marginS, slowestS + marginS] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 26,
        gap: 4,
        incrs: lapSteps,
        space: 40,
        values: (_plot, splits) => splits.map(lap => (lap >= 1 ? String(lap) : '')),
      },
      {
        ...axis,
        grid: { stroke: colours.grid, width: 1 },
        incrs: timeStepsS,
        space: 36,
        size: 58,
        values: (_plot, splits, _axis, _space, step) => splits.map(s => axisTime(s, step)),
      },
    ],
    series: [
      {},
      ...times.slice(1).map((_, index) => comparedSeries(colours, index)),
      { stroke: colours.ink, width: 1.75, points: { show: true, size: 6, fill: colours.ink } },
    ],
    hooks: {
      drawClear: [plot => drawBands(plot, data, colours)],
      drawAxes: [plot => drawAverages(plot, data, colours)],
      draw: [plot => drawBest(plot, data, colours)],
    },
  }
}

function comparedSeries(colours: ChartParts['colours'], index: number): uPlot.Series {
  return {
    stroke: colours.compared[index] ?? colours.label,
    width: 2,
    dash: [...(comparedDashes[index] ?? [])],
    points: { show: true, size: 5 },
  }
}

/** Formats minutes and seconds, with tenths if the lines are closer than a second. */
function axisTime(seconds: number, step: number): string {
  const tenths = Math.round(seconds * 10)
  const whole = minutesAndSeconds(Math.floor(tenths / 10))
  return step < 1 ? `${whole}.${tenths % 10}` : whole
}

/** Fills yellow laps yellow, and those into, out of or through the pits grey, with a label above if there is room. */
function drawBands(plot: uPlot, { bands }: ChartData, colours: PlotColours) {
  const { ctx, bbox } = plot
  const px = devicePixelRatio
  ctx.save()
  ctx.font = `560 ${labelPx * px}px ${colours.font}`
  ctx.textAlign = 'center'
  ctx.textBaseline = 'bottom'
  let freeFrom = Number.NEGATIVE_INFINITY
  for (const band of bands) {
    const { kind, from, to } = band
    const left = Math.max(plot.valToPos(from - 0.5, 'x', true), bbox.left)
    const right = plot.valToPos(to + 0.5, 'x', true)
    ctx.fillStyle = kind === 'yellow' ? colours.yellow : colours.pit
    ctx.fillRect(left, bbox.top, right - left, bbox.height)
    const text = bandName(band)
    const middle = (left + right) / 2
    const half = ctx.measureText(text).width / 2
    if (middle - half < freeFrom) continue
    freeFrom = middle + half + 6 * px
    ctx.fillStyle = colours.ink
    ctx.fillText(text, middle, bbox.top - 6 * px)
  }
  ctx.restore()
}

/** Draws a dashed line over each stint, at its average. */
function drawAverages(plot: uPlot, { averages }: ChartData, { label }: PlotColours) {
  const { ctx } = plot
  const px = devicePixelRatio
  ctx.save()
  ctx.strokeStyle = label
  ctx.lineWidth = 1.5 * px
  ctx.setLineDash([5 * px, 4 * px])
  for (const { from, to, timeS } of averages) {
    const y = plot.valToPos(timeS, 'y', true)
    ctx.beginPath()
    ctx.moveTo(plot.valToPos(from - 0.3, 'x', true), y)
    ctx.lineTo(plot.valToPos(to + 0.3, 'x', true), y)
    ctx.stroke()
  }
  ctx.restore()
}

/** Draws a dot on the best lap. The legend has its time. */
function drawBest(plot: uPlot, { best }: ChartData, { best: colour }: PlotColours) {
  if (!best) return
  const { ctx } = plot
  ctx.save()
  ctx.fillStyle = colour
  ctx.beginPath()
  ctx.arc(
    plot.valToPos(best.number, 'x', true),
    plot.valToPos(best.timeS, 'y', true),
    6 * devicePixelRatio,
    0,
    2 * Math.PI,
  )
  ctx.fill()
  ctx.restore()
}
