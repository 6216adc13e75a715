import { useEffect, useMemo, useRef } from 'react'
import type { SessionCircuit } from '#contract/circuits.ts'
import { circuits } from '#contract/shared/circuits/shippedCircuits.ts'
import { greatestOf, leastOf } from '#contract/shared/extremes.ts'
import { isNearTrack, type Position } from '#contract/shared/geo.ts'
import { trackOf } from '#contract/shared/track.ts'
import type { Spot } from '#web/circuits/drawing.ts'
import { useTurned } from '#web/circuits/useTurned.ts'
import { appText } from '#web/text/app.ts'
import { circuitsText } from '#web/text/circuits.ts'
import { mapText } from '#web/text/map.ts'
import { replayText } from '#web/text/replay.ts'
import { Button } from '#web/ui/Button.tsx'
import tones from '#web/ui/board/tones.module.css'
import type { Player } from './player.ts'
import type { PositionStore } from './positionStore.ts'
import styles from './ReplayMap.module.css'

/** Longer side of the line, and the margin around it, in drawing units. */
const lineUnits = 840

const marginUnits = 60

interface Props {
  player: Player
  store: PositionStore
  /** Tone of the message on the driver's screen; null without one. */
  tone: string | null
  /** The session's circuit; null while it is not known. */
  circuit: SessionCircuit | null
  /** The positions of a whole lap; null until one is known. */
  driven: readonly Position[] | null
  isWaiting: boolean
  onRetry: () => void
}

/** Length of the trail behind the car. */
const trailMs = 8000
/** Without a whole lap, the line is drawn from the first positions. */
const firstMs = 10 * 60 * 1000

/** The circuit, or the driven line, with the car. */
export function ReplayMap({ player, store, tone, circuit, driven, ...rest }: Props) {
  const { isWaiting, onRetry } = rest
  const until = player.first + firstMs
  const loaded = store.between(player.first, until).length
  const upright = useMemo(
    () =>
      circuit || driven || loaded
        ? replayDrawing(driven ?? store.between(player.first, until), circuit)
        : null,
    [circuit, driven, loaded, store, player, until],
  )
  const map = useRef<HTMLElement>(null)
  const { isTurned } = useTurned(map, upright)
  const drawing = useMemo(
    () => upright && (isTurned ? turned(upright) : upright),
    [upright, isTurned],
  )
  return (
    <section
      ref={map}
      className={`${styles.map} ${tones.toned}`}
      aria-label={
        drawing?.circuit
          ? replayText.mapOf(drawing.circuit.name ?? circuitsText.unnamed)
          : replayText.drivenMap
      }
      data-tone={tone ?? undefined}
      data-openreplay-hidden=""
    >
      {drawing && <MapDrawing player={player} store={store} drawing={drawing} />}
      <div className={styles.note}>
        {store.failure !== null ? (
          <>
            <p role="alert">{replayText.partFailed}</p>
            <Button variant="quiet" narrow onClick={onRetry}>
              {appText.tryAgain}
            </Button>
          </>
        ) : (
          <output>{(isWaiting || !drawing) && replayText.loadingPart}</output>
        )}
      </div>
      {drawing && isTurned && <small className={styles.north}>{mapText.north}</small>}
      {drawing?.circuit && <small className={styles.source}>{drawing.circuit.attribution}</small>}
    </section>
  )
}

interface DrawingProps {
  player: Player
  store: PositionStore
  drawing: ReplayDrawing
}

function MapDrawing({ player, store, drawing }: DrawingProps) {
  const car = useRef<SVGGElement>(null)
  const trail = useRef<SVGPathElement>(null)
  const gap = useRef<SVGTextElement>(null)
  useEffect(
    () =>
      player.onFrame(time => {
        const here = store.at(time)
        if (!car.current || !trail.current || !gap.current) return
        car.current.toggleAttribute('data-gone', here === null)
        gap.current.toggleAttribute('data-gone', here !== null || !store.isLoaded(time))
        if (!here) return trail.current.setAttribute('d', '')
        const { x, y } = drawing.place(here)
        car.current.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`
        car.current.dataset.latitude = here.latitude.toFixed(6)
        trail.current.setAttribute('d', pathOf(wayTo(time, store).map(drawing.place)))
      }),
    [player, store, drawing],
  )
  const { width, height, line } = drawing
  return (
    <svg
      className={styles.circuit}
      viewBox={`0 0 ${width.toFixed(0)} ${height.toFixed(0)}`}
      aria-hidden
    >
      <path className={styles.track} d={line} />
      <path ref={trail} className={styles.trail} />
      <g ref={car} data-car data-gone="">
        <circle className={styles.halo} r="34" />
        <circle className={styles.dot} r="26" />
      </g>
      <text ref={gap} className={styles.gap} x={width / 2} y={height / 2} data-gone="">
        {replayText.gap}
      </text>
    </svg>
  )
}

/** Returns the path of the last seconds, up to a gap. */
function wayTo(time: number, store: PositionStore): Position[] {
  const here = store.at(time)
  const way = store.between(time - trailMs, time)
  const afterGap = way.findLastIndex((fix, index) => {
    const next = way[index + 1]
    return next !== undefined && store.at((fix.at + next.at) / 2) === null
  })
  return [...way.slice(afterGap + 1), ...(here ? [here] : [])]
}

/** The line on which the car drives, projected into a drawing with north at the top, or turned. */
interface ReplayDrawing {
  readonly width: number
  readonly height: number
  /** Points of the line, and the same as the `d` attribute of a path. */
  readonly spots: readonly Spot[]
  readonly line: string
  /** The circuit, whose credit must be shown; null if the line is one that was driven. */
  readonly circuit: OutlinedCircuit | null
  readonly place: (position: Position) => Spot
}

/** A circuit of the team, or a shipped one. */
interface OutlinedCircuit {
  readonly name: string | null
  readonly attribution: string | null
  readonly outline: readonly Position[]
}

/**
 * Draws the session's circuit. While that is not known, such as without lap timing, it draws the shipped circuit at
 * which the drive took place, or else the driven line itself.
 */
function replayDrawing(
  driven: readonly Position[],
  known: OutlinedCircuit | null = null,
): ReplayDrawing | null {
  const first = known?.outline[0] ?? driven[0]
  if (!first) return null
  const circuit = known ?? circuits.find(({ outline }) => isNearTrack(first, outline)) ?? null
  const outline = circuit?.outline ?? driven
  // A track has three points at least, and is closed.
  const { plane, points } = trackOf(outline.length < 3 ? [first, first, first] : outline)
  const wests = points.map(({ eastM }) => eastM)
  const norths = points.map(({ northM }) => northM)
  const westM = leastOf(wests)
  const topM = greatestOf(norths)
  const wideM = greatestOf(wests) - westM
  const tallM = topM - leastOf(norths)
  // A parked car has no extent.
  const scale = lineUnits / Math.max(wideM, tallM, 50)
  const place = (position: Position) => {
    const { eastM, northM } = plane.toPoint(position)
    return {
      x: marginUnits + (eastM - westM) * scale,
      y: marginUnits + (topM - northM) * scale,
    }
  }
  const spots = outline.map(place)
  return {
    width: wideM * scale + 2 * marginUnits,
    height: tallM * scale + 2 * marginUnits,
    spots,
    line: lineOf(spots, circuit),
    circuit,
    place,
  }
}

/** Returns the drawing turned a quarter clockwise: north is at the right. */
function turned(drawing: ReplayDrawing): ReplayDrawing {
  const { width, height, circuit } = drawing
  const turn = ({ x, y }: Spot): Spot => ({ x: height - y, y: x })
  const spots = drawing.spots.map(turn)
  const place = (position: Position) => turn(drawing.place(position))
  return { width: height, height: width, spots, line: lineOf(spots, circuit), circuit, place }
}

function lineOf(spots: readonly Spot[], circuit: OutlinedCircuit | null): string {
  return pathOf(spots) + (circuit ? 'Z' : '')
}

/** Returns the `d` attribute of a path through these points. */
function pathOf(points: readonly Spot[]): string {
  return points
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('')
}
