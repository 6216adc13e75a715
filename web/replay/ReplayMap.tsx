import { useEffect, useMemo, useRef } from 'react'
import type { SessionCircuit } from '#contract/circuits.ts'
import type { Position } from '#contract/shared/geo.ts'
import { circuitsText } from '#web/text/circuits.ts'
import { replayText } from '#web/text/replay.ts'
import { Button } from '#web/ui/Button.tsx'
import tones from '#web/ui/board/tones.module.css'
import type { Player } from './player.ts'
import type { PositionStore } from './positionStore.ts'
import styles from './ReplayMap.module.css'
import { pathOf, type ReplayDrawing, replayDrawing } from './replayDrawing.ts'

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
  const drawing = useMemo(
    () =>
      circuit || driven || loaded
        ? replayDrawing(driven ?? store.between(player.first, until), circuit)
        : null,
    [circuit, driven, loaded, store, player, until],
  )
  return (
    <section
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
              {replayText.tryAgain}
            </Button>
          </>
        ) : (
          <output>{(isWaiting || !drawing) && replayText.loadingPart}</output>
        )}
      </div>
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
