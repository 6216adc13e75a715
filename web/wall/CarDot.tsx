import { useRef } from 'react'
import type { Drawing } from '#web/circuits/drawing.ts'
import { useCarOnMap } from '#web/circuits/useCarOnMap.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useAnswers } from '#web/live/useAnswers.ts'
import { useSecond } from '#web/live/useSecond.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { noAnswers } from '#web/message/carAnswers.ts'
import { laneName } from '#web/message/laneName.ts'
import { useSizeOnGlass } from '#web/race/useSizeOnGlass.ts'
import { toneOf } from '#web/ui/board/tone.ts'
import tones from '#web/ui/board/tones.module.css'
import { contactOf } from './contact.ts'
import type { CarLane } from './useLanes.ts'
import styles from './WallMap.module.css'

interface Props {
  lane: CarLane
  drawing: Drawing
}

/**
 * One car on the map, in the colour of its message. Each fix moves it outside React, and without a transition: eight
 * gliding cars would repaint the map all the time.
 */
export function CarDot({ lane, drawing }: Props) {
  useSecond()
  const { id } = lane.movesOff ?? lane.session
  const channel = useChannel()
  const session = useLiveSession(id, state => state.session) ?? lane.movesOff ?? lane.session
  const [answers = noAnswers] = useAnswers([id])
  const size = useSizeOnGlass(session.message, answers, lane.race?.visits)
  const { plate } = laneName(session)
  const { state } = contactOf(channel.session(id), channel.clock.now())
  const car = useRef<SVGGElement>(null)
  useCarOnMap(car, id, drawing)
  return (
    <g
      ref={car}
      className={`${styles.car} ${tones.toned}`}
      data-tone={(size === 'full' && toneOf(session.message)) || undefined}
      data-state={state}
      data-car={lane.id}
      data-elsewhere
    >
      <circle className={styles.halo} r="48" />
      <circle className={styles.dot} r="40" />
      <text className={styles.label} dy="15" data-letters={plate.length}>
        {plate}
      </text>
    </g>
  )
}
